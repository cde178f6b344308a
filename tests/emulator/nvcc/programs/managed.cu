// A linked list in managed memory that host and device walk in turn, and managed variables.
#include <cstdio>
#include <new>

struct Managed {
  void* operator new(std::size_t bytes) {
    void* p = nullptr;
    if (cudaMallocManaged(&p, bytes) != cudaSuccess) throw std::bad_alloc();
    return p;
  }
  void operator delete(void* p) { cudaFree(p); }
};

struct Node : Managed {
  int value;
  Node* next;
  __host__ __device__ Node(int v, Node* n) : value{v}, next{n} {}
  __host__ __device__ int length() const {
    int n = 0;
    for (const Node* p = this; p; p = p->next) ++n;
    return n;
  }
};

__managed__ int total = 0;
__device__ __managed__ int lengths[2] = {-1, -1};

__global__ void walk(Node* head, int by) {
  int sum = 0;
  for (Node* p = head; p != nullptr; p = p->next) sum += (p->value *= by);
  total += sum;
  lengths[0] = head->length();
}

int main() {
  Node* head = nullptr;
  for (int i = 1; i <= 10; ++i) head = new Node(i, head);
  total = 1000;
  walk<<<1, 1>>>(head, 3);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  lengths[1] = head->length();
  int wrong = total != 1000 + 3 * 55 || lengths[0] != 10 || lengths[1] != 10;
  int expected = 30;
  while (head) {
    wrong += head->value != expected;
    expected -= 3;
    Node* next = head->next;
    delete head;
    head = next;
  }
  std::printf("managed: %d wrong\n", wrong);
  return wrong != 0;
}
