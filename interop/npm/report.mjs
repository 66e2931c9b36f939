// What a program says of itself to `go run ./bench`: the address at which it listens, then what it uses for every line
// that it reads. It ends with its input.

import { createInterface } from 'node:readline';

export function report(url) {
  console.log(JSON.stringify(url));
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      if (line === 'settled') for (let i = 0; i < 2; i++) global.gc?.(); // twice, as the others do
      const { user, system } = process.cpuUsage();
      const { rss, heapUsed } = process.memoryUsage();
      console.log(JSON.stringify({ CPU: (user + system) * 1000, RSS: rss, Heap: heapUsed }));
    })
    .on('close', () => process.exit(0));
}
