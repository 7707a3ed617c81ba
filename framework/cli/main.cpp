#include <string>
#include <vector>

#include "framework/cli/command_line.hpp"

int main(int count, char** arguments) {
  return warpcheck::cli::command_line(
      std::vector<std::string>(arguments + (count > 0 ? 1 : 0), arguments + count));
}
