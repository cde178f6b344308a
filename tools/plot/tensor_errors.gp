# $curve1, $curve2, $curve3: k, error; $labels: k, error, words
set logscale x 2
set logscale y 10
set xrange [56:40000]
set yrange [6e-8:3e-4]
set xtics (64, 256, '1,024' 1024, '4,096' 4096, '16,384' 16384)
set ytics ('10⁻⁷' 1e-7, '10⁻⁶' 1e-6, '10⁻⁵' 1e-5, '10⁻⁴' 1e-4)
set xlabel 'k, the terms of each sum' textcolor rgb ink
set label 'relative error' at screen x_of(16), y_of(74) left textcolor rgb muted

array colours[3] = [two, muted, one]
array above[3] = [0.9, 0.9, -1.7]
do for [i = 1:3] {
  set label word($labels[i], 3) at first word($labels[i], 1) + 0, first word($labels[i], 2) + 0 right offset 0, above[i] textcolor rgb colours[i]
}

plot for [i = 1:3] '$curve'.i with linespoints linecolor rgb colours[i] linewidth 2.5 pointtype 7 pointsize 0.7
