"""The numbers behind the labels, in numpy alone: ratings, counts, distances, weights, scores."""
