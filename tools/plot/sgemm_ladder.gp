# $steps, $cublas: place, GFLOP/s, name, GFLOP/s in words
set xrange [0:1.02 * ceiling]
set yrange [bars - 0.4:-1.6]
set border 0
unset xtics
unset grid
set ytics scale 0
set tmargin at screen y_of(66)
set lmargin at screen x_of(210)
set bmargin at screen y_of(height - 12)
set arrow from ceiling, -0.6 to ceiling, bars - 0.5 nohead linecolor rgb muted linewidth 1.5 dashtype 2
set label ceiling_label at ceiling, -1.05 right textcolor rgb muted
set label 1002 sprintf('%s for matrices of %d x %d', subheading, size, size)
half = 0.36

plot $steps using 2:1:(0):2:($1 - half):($1 + half):yticlabels(3) with boxxyerror linecolor rgb one, \
     $cublas using 2:1:(0):2:($1 - half):($1 + half):yticlabels(3) with boxxyerror linecolor rgb two, \
     $steps using 2:1:4 with labels left offset 0.8, 0 textcolor rgb ink, \
     $cublas using 2:1:4 with labels left offset 0.8, 0 textcolor rgb ink
