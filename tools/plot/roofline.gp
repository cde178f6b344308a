# $points: operations per byte, GFLOP/s; $roof: the same
# $labels: pixels, whether they end there, numbers; $table: pixels, number, kernel, part of the roof
set logscale xy
set xrange [x_min:x_max]
set yrange [y_min:y_max]
set format x '%g'
set ytics ('100' 100, '1,000' 1000, '10,000' 10000, '100,000' 100000)
set xlabel 'floating-point operations per byte' textcolor rgb ink
set label 'GFLOP/s' at screen x_of(60), y_of(74) right textcolor rgb muted
set lmargin at screen x_of(left)
set rmargin at screen x_of(right)
set tmargin at screen y_of(top)
set bmargin at screen y_of(bottom)
set grid xtics

number(text, i) = word(text, i) + 0
set label copy_label at first sqrt(0.6 * ceiling / copy), first copy * sqrt(0.6 * ceiling / copy) \
  offset -0.5, 0.7 center rotate by slope textcolor rgb muted
set label ceiling_label at graph 0.995, first ceiling right offset 0, 0.7 textcolor rgb muted
do for [i = 1:|$labels|] {
  row = $labels[i]
  if (number(row, 3)) {
    set label word(row, 4) at screen x_of(number(row, 1)), y_of(number(row, 2)) right font 'sans-serif,12' textcolor rgb ink
  } else {
    set label word(row, 4) at screen x_of(number(row, 1)), y_of(number(row, 2)) left font 'sans-serif,12' textcolor rgb ink
  }
}

set label 'kernel, and the part of the roof above it that it reaches' at screen x_of(20), y_of(bottom + 74) left textcolor rgb muted
do for [i = 1:|$table|] {
  row = $table[i]
  x = number(row, 1)
  y = number(row, 2)
  # A row without a number is the name of a chapter.
  set label word(row, 3) at screen x_of(x + 16), y_of(y) right font 'sans-serif,11' textcolor rgb one
  set label word(row, 4) at screen x_of(x + (strlen(word(row, 3)) ? 22 : 0)), y_of(y) left \
    font 'sans-serif,11' textcolor rgb (strlen(word(row, 3)) ? ink : muted)
  set label word(row, 5) at screen x_of(x + 212), y_of(y) right font 'sans-serif,11' textcolor rgb ink
}

plot $roof with lines linecolor rgb muted linewidth 2, \
     $points with points linecolor rgb one pointtype 7 pointsize 0.7
