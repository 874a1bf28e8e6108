// See peer_process.h.
#include "bench/peer_process.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

namespace assay::bench {

Result<std::unique_ptr<PeerProcess>> PeerProcess::start(std::vector<std::string> command) {
  std::array<int, 2> commands = {};
  std::array<int, 2> answers = {};
  if (pipe(commands.data()) != 0 || pipe(answers.data()) != 0) return Error{"cannot make a pipe"};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, commands[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, answers[1], STDOUT_FILENO);
  for (int end : {commands[0], commands[1], answers[0], answers[1]})
    posix_spawn_file_actions_addclose(&actions, end);
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t process = 0;
  int failure = posix_spawnp(&process, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(commands[0]);
  close(answers[1]);
  if (failure != 0) {
    close(commands[1]);
    close(answers[0]);
    return Error{"cannot start " + command.front()};
  }
  return std::unique_ptr<PeerProcess>(
      new PeerProcess(process, fdopen(commands[1], "w"), fdopen(answers[0], "r")));
}

PeerProcess::~PeerProcess() {
  std::fclose(commands_);
  std::fclose(answers_);
  waitpid(process_, nullptr, 0);
}

Result<void> PeerProcess::prepare(const std::string& peer, const std::string& workload) {
  Result<std::string> answer = ask("prepare " + peer + " " + workload);
  if (!answer) return answer.error();
  return {};
}

Result<double> PeerProcess::time(unsigned launches, Clock clock) {
  return ask_time("time", launches, clock);
}

Result<double> PeerProcess::compile(unsigned number, Clock clock) {
  return ask_time("compile", number, clock);
}

Result<double> PeerProcess::ask_time(const std::string& command, unsigned number, Clock clock) {
  std::string name = clock == Clock::kWall ? "wall" : "processor";
  Result<std::string> answer = ask(command + " " + std::to_string(number) + " " + name);
  if (!answer) return answer.error();
  return std::strtod(answer->c_str(), nullptr);
}

Result<std::string> PeerProcess::ask(const std::string& line) {
  char* text = nullptr;
  size_t capacity = 0;
  bool is_sent = std::fprintf(commands_, "%s\n", line.c_str()) > 0 && std::fflush(commands_) == 0;
  ssize_t length = is_sent ? getline(&text, &capacity, answers_) : -1;
  std::string answer = length > 0 ? std::string(text, static_cast<size_t>(length) - 1) : "";
  std::free(text);
  if (length <= 0) return Error{"the peer's program ended at: " + line};
  if (answer.starts_with("no ")) return Error{answer.substr(3)};
  return answer;
}

}  // namespace assay::bench
