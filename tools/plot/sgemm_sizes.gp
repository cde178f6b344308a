# $curve1, $curve2, ...: size, GFLOP/s; $labels: size, place, name, colour
set logscale x 2
set xrange [0.9 * smallest:1.03 * largest]
set yrange [0:top]
set xtics (256, 512, 1024, 2048, 4096, 8192, 16384)
set ytics ('0' 0, '10,000' 10000, '20,000' 20000, '30,000' 30000, '40,000' 40000, '50,000' 50000, '60,000' 60000)
set xlabel 'rows and columns of each matrix' textcolor rgb ink
set label 'GFLOP/s' at screen x_of(60), y_of(74) right textcolor rgb muted
set rmargin at screen x_of(520)
set label ceiling_label at graph 0.01, first ceiling left offset 0, 0.7 textcolor rgb muted

colour(i) = value(word($labels[i], 4))
do for [i = 1:curves] {
  set label word($labels[i], 3) at first largest, first word($labels[i], 2) + 0 left offset 1.2, 0 textcolor rgb colour(i)
}

plot ceiling with lines linecolor rgb muted linewidth 1.5 dashtype 2, \
     for [i = 1:curves] '$curve'.i with linespoints linecolor rgb colour(i) linewidth 2.2 \
       pointtype (word($labels[i], 3) eq 'cublas' ? 5 : 7) pointsize 0.7
