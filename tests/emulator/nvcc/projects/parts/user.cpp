int closed_sum();

int main() { return closed_sum() == 19 ? 0 : 1; }
