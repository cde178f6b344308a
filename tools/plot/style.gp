# What all plots share. The colours are names: svg_card.cpp puts light and dark ones in their place.
paper = '#000001'
ink   = '#000002'
muted = '#000003'
grid  = '#000004'
one   = '#000005'
two   = '#000006'
three = '#000007'
four  = '#000008'

set encoding utf8
set terminal svg noenhanced rounded size 700,height font 'sans-serif,13' background rgb paper
set border 3 linecolor rgb muted
set tics nomirror textcolor rgb ink scale 0.5
set grid ytics linetype 1 linewidth 1 linecolor rgb grid, linetype 1 linewidth 1 linecolor rgb grid
set key off
set style fill solid 1 noborder

# Pixels from the left and from the top, as parts of the picture.
x_of(pixel) = pixel / 700.0
y_of(pixel) = 1.0 - pixel / (height + 0.0)

set label 1001 heading at screen x_of(16), y_of(26) left font 'sans-serif,16' textcolor rgb ink
set label 1002 subheading at screen x_of(16), y_of(47) left textcolor rgb muted
set lmargin at screen x_of(68)
set rmargin at screen x_of(676)
set tmargin at screen y_of(92)
set bmargin at screen y_of(height - 62)
