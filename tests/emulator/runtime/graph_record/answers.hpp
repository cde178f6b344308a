#pragma once

/// @file
/// Questions to CUDA about graphs. The answers were recorded on an H200.
#include <cuda_runtime.h>

#include <cstddef>

namespace graph_record {

extern int* device;
extern cudaStream_t stream;

/// Prints the call and what it returned, and forgets the error.
void ask(const char* call, cudaError_t answer);

/// Prints a line as printf does.
[[gnu::format(printf, 1, 2)]] void say(const char* format, ...);

/// Prints how much memory graphs have.
void say_memory(const char* when);

/// Updates an executable graph, and prints what CUDA says of it: nodes by their places in the
/// graph.
void say_update(cudaGraphExec_t executable, cudaGraph_t graph, const char* what);

/// The number at the beginning of the device's memory, once all streams have ended.
int value();
void set_value(int number);

cudaGraph_t new_graph();
cudaMemAllocNodeParams allocation_of(std::size_t bytes);
/// One thread of a kernel.
cudaKernelNodeParams launch_of(void* kernel, void** arguments);

void memory_nodes();
void alloc_and_free_in_one();
void outlives();
void capture_memory();
void many_sizes();
void moved_child();
void conditions();
void conditions_values();
void capture_info();
void parameters();
void attributes();
void edges();
void updates();
void user_objects();

}  // namespace graph_record
