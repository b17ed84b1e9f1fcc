// What a POST that waits for its reply cannot do without, by hand: two appends on disk, in groups, and an exchange
// with another process in between. For bench/api.ts.
import { open } from 'node:fs/promises'
import { connect, createServer } from 'node:net'

const LENGTH = 64

/** Sends back what comes; resolves with the port. */
export const echo = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer((socket) => socket.setNoDelay(true).pipe(socket))
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
  })

/** Resolves when `line` is on disk; what comes while one sync is under way goes with the next. */
async function appender(path: string): Promise<(line: string) => Promise<void>> {
  const file = await open(path, 'a')
  let queue: { readonly line: string; readonly done: () => void }[] = []
  let running = false
  const run = async (): Promise<void> => {
    running = true
    while (queue.length > 0) {
      const group = queue
      queue = []
      await file.write(group.map(({ line }) => line).join(''))
      await file.datasync()
      for (const { done } of group) done()
    }
    running = false
  }
  return (line) =>
    new Promise((done) => {
      queue.push({ line, done })
      if (!running) void run()
    })
}

/** Resolves when the echo at `port` has answered; answers come in the order of the questions. */
function exchanger(port: number): () => Promise<void> {
  const socket = connect(port, '127.0.0.1').setNoDelay(true)
  const waiting: (() => void)[] = []
  let bytes = 0
  socket.on('data', (chunk) => {
    for (bytes += chunk.length; bytes >= LENGTH; bytes -= LENGTH) waiting.shift()?.()
  })
  const frame = Buffer.alloc(LENGTH)
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve)
      socket.write(frame)
    })
}

/** Makes what has to be done for one POST. `line`: as long as what the gateway writes for it in each half. */
export async function floor(path: string, echoPort: number, line: string): Promise<() => Promise<void>> {
  const append = await appender(path)
  const exchange = exchanger(echoPort)
  return async () => {
    await append(line)
    await exchange()
    await append(line)
  }
}
