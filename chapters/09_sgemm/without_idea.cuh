#pragma once

/// @file
/// The last steps in which a shape has another form.

#include "ablations.hpp"
#include "steps/16_even_shares.cuh"

/// even_shares::launch() with `Form` of each shape. Medium is its smallest.
template <template <typename> typename Form>
void launch_as(const Sgemm& s, cudaStream_t stream) {
  using even_shares::Large, even_shares::Medium;
  if (s.m == 0 || s.n == 0) return;
  const auto launch_whole = [&]<typename S>(S) {
    pipeline::launch_shape<S>(slices::sgemm<S>, pipeline::tile_count<S>(s),
                              even_shares::behind_counters(s), stream);
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

/// Step 14 in another form.
template <template <typename> typename Form>
Variant step_14(const char* idea) {
  using S = Form<register_order::Large>;
  return {idea,
          [](const Sgemm& s, cudaStream_t stream) {
            if (s.m == 0 || s.n == 0) return;
            pipeline::launch_shape<S>(register_order::sgemm<S>, pipeline::tile_count<S>(s), s,
                                      stream);
          },
          pipeline::workspace_floats};
}

/// The last step without an idea that Form takes away.
template <template <typename> typename Form>
Variant without(const char* idea) {
  return {idea, launch_as<Form>, even_shares::workspace_floats};
}
