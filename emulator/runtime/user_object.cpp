// User objects: what a program lets graphs keep alive. The last reference that goes calls the
// program's function.
#include <map>

#include "cuda_runtime_api.h"
#include "graph.hpp"
#include "handles.hpp"
#include "runtime.hpp"

using namespace emu;
using runtime::api_call;
using runtime::graph_mutex;
using runtime::graph_of;
using runtime::Handles;

struct CUuserObject_st {
  void* pointer = nullptr;
  cudaHostFn_t destroy = nullptr;
  unsigned long long references = 0;
};

namespace {

Handles<CUuserObject_st>& objects() {
  static Handles<CUuserObject_st>& handles = *new Handles<CUuserObject_st>;
  return handles;
}

bool is_count(unsigned count) { return count > 0 && count <= 0x7fffffffu; }

bool retain(cudaUserObject_t handle, unsigned count) {
  return objects().with(handle, [&](CUuserObject_st& object) { object.references += count; });
}

cudaError_t give_up(cudaUserObject_t handle, unsigned count) {
  bool has_so_many = false, is_last = false;
  objects().with(handle, [&](CUuserObject_st& object) {
    has_so_many = object.references >= count;
    if (has_so_many) object.references -= count;
    is_last = object.references == 0;
  });
  if (!has_so_many) return cudaErrorInvalidValue;
  if (!is_last) return cudaSuccess;
  const auto object = objects().take(handle);
  const runtime::HostFunctionScope scope;  // it may not call the runtime
  object->destroy(object->pointer);
  return cudaSuccess;
}

}  // namespace

void runtime::keep_user_objects(CUgraph_st& graph,
                                const std::map<cudaUserObject_t, unsigned>& kept) {
  for (const auto& [object, count] : kept)
    if (retain(object, 1)) graph.user_objects[object] += 1;
}

void runtime::release_user_objects(CUgraph_st& graph) noexcept {
  for (const auto& [object, count] : graph.user_objects) give_up(object, count);
  graph.user_objects.clear();
}

cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* pointer, cudaHostFn_t destroy,
                                 unsigned int references, unsigned int flags) {
  return api_call([&] {
    if (object == nullptr || destroy == nullptr || !is_count(references) ||
        flags != cudaUserObjectNoDestructorSync)
      return cudaErrorInvalidValue;
    *object = objects().create({pointer, destroy, references});
    return cudaSuccess;
  });
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count) {
  return api_call([&] {
    return is_count(count) && retain(object, count) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count) {
  return api_call([&] { return is_count(count) ? give_up(object, count) : cudaErrorInvalidValue; });
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t handle, cudaUserObject_t object,
                                      unsigned int count, unsigned int flags) {
  return api_call([&] {
    const std::lock_guard lock(graph_mutex());
    CUgraph_st* const graph = graph_of(handle);
    if (graph == nullptr || !is_count(count) || flags > cudaGraphUserObjectMove ||
        !objects().contains(object))
      return cudaErrorInvalidValue;
    if (flags != cudaGraphUserObjectMove) retain(object, count);
    graph->user_objects[object] += count;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t handle, cudaUserObject_t object,
                                       unsigned int count) {
  return api_call([&] {
    const std::lock_guard lock(graph_mutex());
    CUgraph_st* const graph = graph_of(handle);
    if (graph == nullptr || !is_count(count)) return cudaErrorInvalidValue;
    const auto found = graph->user_objects.find(object);
    // More references than the graph has are none of its own.
    if (found == graph->user_objects.end() || found->second < count) return cudaSuccess;
    found->second -= count;
    if (found->second == 0) graph->user_objects.erase(found);
    return give_up(object, count);
  });
}
