# $runs: offset and sectors in words, then GB/s and the same in words for each of three kernels
set xrange [-0.5:3.5]
set yrange [0:5000]
set xtics scale 0
set label 'GB/s' at screen x_of(60), y_of(74) right textcolor rgb muted
width = 0.24

set label "the driver's copy" at graph 0.995, first copy right offset 0, 0.7 textcolor rgb muted
array names = ['read_offset', 'read_offset_l2_only', 'write_offset']
array colours = [one, two, three]
do for [i = 1:3] {
  set label names[i] at first (i - 2) * width, first 200 rotate by 90 left front textcolor rgb paper
}

plot copy with lines linecolor rgb muted linewidth 1.5 dashtype 2, \
     for [i = 1:3] $runs using ($0 + (i - 2) * width):(column(2 * i + 1)):(width * 0.92) with boxes linecolor rgb colours[i], \
     for [i = 1:3] $runs using ($0 + (i - 2) * width):(column(2 * i + 1)):(stringcolumn(2 * i + 2)) \
       with labels offset 0, 0.6 font 'sans-serif,12' textcolor rgb colours[i], \
     $runs using 0:(0):xticlabels(1) with points pointtype -1, \
     $runs using 0:(0):2 with labels offset 0, -2.2 textcolor rgb muted
