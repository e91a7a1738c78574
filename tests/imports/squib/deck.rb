require 'squib'

data = Squib.csv file: 'herd.csv'

Squib::Deck.new(cards: data['name'].size, layout: 'layouts/goats.yml', width: 825, height: 1125) do
  background color: '#fdf6e3'
  rect layout: 'panel'
  text str: data['name'], layout: :title
  text str: data['climb'].map { |c| "Climbs #{c} m" }, layout: :climb
  text str: data['says'], layout: 'says', markup: true
  svg file: data['kind'].map { |k| "#{k}.svg" }, layout: :art
  text range: 0..1, str: 'Leads the herd', layout: :badge
  text str: Time.now.year, layout: :badge
  polygon x: 100, y: 100, n: 5
  rect layout: 'cut'
  save_pdf file: 'goats.pdf', trim: 37.5
end
