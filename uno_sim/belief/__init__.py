"""What the choices of the others tell about their hands, against a model of how they play."""
