"""What models answer along one or two columns: `PosteriorDisplay`, and what is drawn around it."""
