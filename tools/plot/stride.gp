# $runs: stride, GB/s of use, GB/s moved in whole sectors
set logscale x 2
set xrange [0.9:36]
set yrange [0:5000]
set xtics (1, 2, 4, 8, 16, 32)
set xlabel 'stride: floats from one lane to the next' textcolor rgb ink
set label 'GB/s' at screen x_of(60), y_of(74) right textcolor rgb muted

set label "the driver's copy" at graph 0.995, first copy right offset 0, 0.7 textcolor rgb muted
set label 'moved, in whole sectors' at 2.7, 3930 right textcolor rgb two
set label 'wasted' at 8.6, 2000 center front textcolor rgb ink
set label 'of use' at 3.6, 1350 right textcolor rgb one

plot $runs using 1:2:3 with filledcurves linecolor rgb grid, \
     copy with lines linecolor rgb muted linewidth 1.5 dashtype 2, \
     $runs using 1:3 with linespoints linecolor rgb two linewidth 2.5 pointtype 5 pointsize 0.9, \
     $runs using 1:2 with linespoints linecolor rgb one linewidth 2.5 pointtype 7 pointsize 0.9
