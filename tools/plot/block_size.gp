# $blocks_of_read_offset, $blocks_of_unroll4: threads per block, GB/s
set logscale x 2
set xrange [28:1200]
set yrange [0:5000]
set xtics (32, 64, 128, 256, 512, 1024)
set xlabel 'threads per block' textcolor rgb ink
set label 'GB/s' at screen x_of(60), y_of(74) right textcolor rgb muted

set label "the driver's copy" at graph 0.995, first copy right offset 0, -0.8 textcolor rgb muted
set label 'read_offset_unroll4: eight loads in flight' at 362, 4700 center textcolor rgb two
set label 'read_offset: two loads in flight' at 190, 2500 left textcolor rgb one

plot copy with lines linecolor rgb muted linewidth 1.5 dashtype 2, \
     $blocks_of_unroll4 with linespoints linecolor rgb two linewidth 2.5 pointtype 5 pointsize 0.9, \
     $blocks_of_read_offset with linespoints linecolor rgb one linewidth 2.5 pointtype 7 pointsize 0.9
