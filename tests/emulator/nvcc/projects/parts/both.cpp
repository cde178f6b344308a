int launches_so_far();
int twice_the_launches();

// One count for both libraries: the second call's is 2.
int main() { return launches_so_far() == 1 && twice_the_launches() == 4 ? 0 : 1; }
