int number_of_host() { return 7; }
