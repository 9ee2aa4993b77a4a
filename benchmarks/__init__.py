"""Side-by-side measurements of spectastic and its neighbours, and the trees they are made on."""
