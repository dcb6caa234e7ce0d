// The hold model on std::priority_queue, ordered by (time, sequence): priorityQueue FOLDER SIZE HOLDS WARM_HOLDS.
// Prints million holds per CPU-second and a checksum of the order in which events came out.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <queue>
#include <string>
#include <vector>

struct Event {
  int64_t atUs;
  uint32_t sequence;
  int32_t payload;
};

struct Later {
  bool operator()(const Event& a, const Event& b) const {
    return a.atUs != b.atUs ? a.atUs > b.atUs : a.sequence > b.sequence;
  }
};

using Queue = std::priority_queue<Event, std::vector<Event>, Later>;

static std::vector<double> doublesOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::vector<double> values(file.tellg() / sizeof(double));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(values.data()), values.size() * sizeof(double));
  return values;
}

static uint32_t hold(Queue& queue, uint32_t& sequence, const std::vector<double>& delaysUs, int holds) {
  uint32_t checksum = 0;
  for (int i = 0; i < holds; i++) {
    const Event event = queue.top();
    queue.pop();
    queue.push({event.atUs + static_cast<int64_t>(delaysUs[i % delaysUs.size()]), sequence++, event.payload});
    checksum = checksum * 31 + static_cast<uint32_t>(event.payload);
  }
  return checksum;
}

int main(int, char** arguments) {
  const std::string folder = arguments[1];
  const std::string size = arguments[2];
  const int holds = std::atoi(arguments[3]);
  const int warmHolds = std::atoi(arguments[4]);
  const std::vector<double> delaysUs = doublesOf(folder + "/delays.bin");
  const std::vector<double> initialUs = doublesOf(folder + "/initial-" + size + ".bin");
  Queue queue;
  uint32_t sequence = 0;
  for (double atUs : initialUs) queue.push({static_cast<int64_t>(atUs), sequence, static_cast<int32_t>(sequence)}), sequence++;
  hold(queue, sequence, delaysUs, warmHolds);
  const clock_t before = clock();
  const uint32_t checksum = hold(queue, sequence, delaysUs, holds);
  const double seconds = static_cast<double>(clock() - before) / CLOCKS_PER_SEC;
  std::printf("{\"millionHolds\":%.4f,\"checksum\":%u}\n", holds / seconds / 1e6, checksum);
}
