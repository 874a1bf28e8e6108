// See page_server.h.
#include "cli/view/page_server.h"

#include <fmt/format.h>
#include <httplib.h>
#include <sys/socket.h>

#include <array>
#include <charconv>
#include <random>
#include <thread>

#include "cli/view/page_template.h"

namespace assay::cli {
namespace {

constexpr const char* kAddress = "127.0.0.1";

// 128 random bits.
std::string make_token() {
  std::random_device source;
  std::string token;
  for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", source());
  return token;
}

// Takes the same time wherever texts differ.
bool equals(std::string_view one, std::string_view other) {
  if (one.size() != other.size()) return false;
  unsigned difference = 0;
  for (size_t i = 0; i < one.size(); ++i) {
    difference |= static_cast<unsigned>(one[i] ^ other[i]);
  }
  return difference == 0;
}

class Server final : public PageServer {
 public:
  explicit Server(const TraceShelf& shelf) : shelf_(shelf), token_(make_token()) {
    // Two servers on one port would take turns: only a port that still waits may be used again.
    http_.set_socket_options([](socket_t socket) {
      const int is_on = 1;
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &is_on, sizeof is_on);
    });
    http_.set_default_headers({
        {"Content-Security-Policy", page_policy(PageOrigin::kServer) + "; frame-ancestors 'none'"},
        {"Cache-Control", "no-store"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Referrer-Policy", "no-referrer"},
        {"X-Content-Type-Options", "nosniff"},
    });
    http_.set_payload_max_length(0);
    // Ending takes as long as a browser may keep a connection that it does not use.
    http_.set_keep_alive_timeout(1);
    http_.new_task_queue = [] { return new httplib::ThreadPool(4); };
    http_.Get(".*", [this](const httplib::Request& request, httplib::Response& response) {
      answer(request, response);
    });
  }

  ~Server() override {
    http_.stop();
    if (thread_.joinable()) thread_.join();
  }

  Result<void> listen(int port) {
    port_ = port == 0 ? http_.bind_to_any_port(kAddress)
                      : (http_.bind_to_port(kAddress, port) ? port : -1);
    if (port_ < 0) {
      return Error{port == 0 ? std::string("no port is free on 127.0.0.1")
                             : fmt::format("port {} is taken or not permitted; choose another with "
                                           "--port, or leave it out for a free one",
                                           port)};
    }
    thread_ = std::thread([this] { http_.listen_after_bind(); });
    while (!http_.is_running()) std::this_thread::yield();
    return {};
  }

  std::string url() const override {
    return fmt::format("http://{}:{}/{}/", kAddress, port_, token_);
  }
  int port() const override { return port_; }

 private:
  // "TOKEN/", "TOKEN/data/traces", "TOKEN/data/0/core".
  void answer(const httplib::Request& request, httplib::Response& response) const {
    if (request.get_header_value("Host") != fmt::format("{}:{}", kAddress, port_)) {
      return refuse(response, 421, "this server answers to 127.0.0.1 only");
    }
    std::string_view path = request.path;
    if (path.starts_with('/')) path.remove_prefix(1);
    const size_t slash = path.find('/');
    if (slash == std::string_view::npos || !equals(path.substr(0, slash), token_)) {
      return refuse(response, 403, "the address lacks the token; use the one that was printed");
    }
    path.remove_prefix(slash + 1);
    if (path.empty()) return send_page(response);
    constexpr std::string_view kData = "data/";
    if (!path.starts_with(kData)) return refuse(response, 404, "there is nothing here");
    path.remove_prefix(kData.size());
    if (path == "traces") return response.set_content(shelf_.list(), "application/json");
    send_section(path, response);
  }

  static void refuse(httplib::Response& response, int status, const std::string& why) {
    response.status = status;
    response.set_content(why + "\n", "text/plain; charset=utf-8");
  }

  static void send_page(httplib::Response& response) {
    const PageParts parts = page_parts(PageOrigin::kServer);
    response.set_content(parts.head + std::string(parts.tail), "text/html; charset=utf-8");
  }

  void send_section(std::string_view path, httplib::Response& response) const {
    size_t trace = 0;
    const auto [end, failure] = std::from_chars(path.data(), path.data() + path.size(), trace);
    const auto used = static_cast<size_t>(end - path.data());
    if (failure != std::errc() || used >= path.size() || path[used] != '/') {
      return refuse(response, 404, "there is nothing here");
    }
    Result<std::string> section = shelf_.load_section(trace, path.substr(used + 1));
    if (!section) return refuse(response, 404, section.error().message);
    // Without a copy: sections may have hundreds of megabytes.
    auto bytes = std::make_shared<const std::string>(std::move(*section));
    response.set_content_provider(bytes->size(), "application/octet-stream",
                                  [bytes](size_t offset, size_t length, httplib::DataSink& sink) {
                                    return sink.write(bytes->data() + offset, length);
                                  });
  }

  const TraceShelf& shelf_;
  const std::string token_;
  httplib::Server http_;
  int port_ = -1;
  std::thread thread_;
};

}  // namespace

Result<std::unique_ptr<PageServer>> PageServer::start(const TraceShelf& shelf, int port) {
  auto server = std::make_unique<Server>(shelf);
  if (Result<void> listening = server->listen(port); !listening) return listening.error();
  return std::unique_ptr<PageServer>(std::move(server));
}

}  // namespace assay::cli
