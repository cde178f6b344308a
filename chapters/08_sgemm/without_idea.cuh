#pragma once

/// @file
/// The last step in which a shape has another form.

#include "ablations.hpp"
#include "steps/16_even_shares.cuh"

/// even_shares::launch() with `Form` of each shape. Medium is its smallest.
template <template <typename> typename Form>
void launch_as(const Sgemm& s, cudaStream_t stream) {
  using even_shares::Large, even_shares::Medium;
  if (s.m == 0 || s.n == 0) return;
  const auto launch_whole = [&]<typename S>(S) {
    pipeline::launch_shape<S>(slices::sgemm<S>, pipeline::tile_count<S>(s), s, stream);
  };
  even_shares::where_it_pays(
      s, [&]<typename S>(S) { even_shares::launch_split<Form<S>>(s, stream); },
      [&] {
        if (pipeline::tile_count<Large>(s) >= s.multiprocessors * 3 / 4)
          launch_whole(Form<Large>{});
        else
          launch_whole(Form<Medium>{});
      });
}

/// The last step without an idea that Form takes away.
template <template <typename> typename Form>
Ablation without(const char* idea) {
  return {idea, launch_as<Form>, even_shares::workspace_floats};
}
