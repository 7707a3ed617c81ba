#pragma once

#include <string_view>

namespace warpcheck::ptx {

/// Whether that is one of PTX's predefined identifiers (PTX ISA table 3 and §10), without component: "%tid".
bool is_special_register(std::string_view name);

/// Whether that special register is a vector whose components .x .y .z .w are read one at a time.
bool is_special_vector(std::string_view name);

}  // namespace warpcheck::ptx
