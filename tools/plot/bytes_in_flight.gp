# $occupancy_of_read_offset and its relatives: KiB of loads on their way per multiprocessor, GB/s
set logscale x 2
set xrange [1.7:150]
set yrange [0:5000]
set xtics (2, 4, 8, 16, 32, 64, 128)
set xlabel 'KiB on their way per multiprocessor' textcolor rgb ink
set label 'GB/s' at screen x_of(60), y_of(74) right textcolor rgb muted

set label "the driver's copy" at graph 0.005, first copy left offset 0, -0.8 textcolor rgb muted
set label 'eight pairs per thread' at 20, 2700 left textcolor rgb four
set label 'four' at 9, 1650 left textcolor rgb three
set label 'two' at 3.75, 1330 right textcolor rgb two
set label 'one pair per thread' at 2.25, 500 left textcolor rgb one

plot copy with lines linecolor rgb muted linewidth 1.5 dashtype 2, \
     $occupancy_of_unroll8 with linespoints linecolor rgb four linewidth 2.5 pointtype 9 pointsize 0.9, \
     $occupancy_of_unroll4 with linespoints linecolor rgb three linewidth 2.5 pointtype 11 pointsize 0.9, \
     $occupancy_of_unroll2 with linespoints linecolor rgb two linewidth 2.5 pointtype 5 pointsize 0.9, \
     $occupancy_of_read_offset with linespoints linecolor rgb one linewidth 2.5 pointtype 7 pointsize 0.9
