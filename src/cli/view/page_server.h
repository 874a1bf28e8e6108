// Serves a page and its data to browsers of this machine.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "cli/view/trace_shelf.h"

namespace assay::cli {

// Listens on 127.0.0.1 only. Every request has to name a token that only the printed address has:
// other users and pages of other sites know the port at most.
class PageServer {
 public:
  // Port 0 takes a free one. The error says that the port is taken. `shelf` outlives the server.
  static Result<std::unique_ptr<PageServer>> start(const TraceShelf& shelf, int port);
  virtual ~PageServer() = default;  // ends it

  virtual std::string url() const = 0;
  virtual int port() const = 0;
};

}  // namespace assay::cli
