import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Where equipment dials, and the gateways that HAProxy leads to. It connects to them from 127.0.0.1. */
export const BALANCER = '127.0.0.100'
export const GATEWAYS = ['127.0.0.11', '127.0.0.12'] as const

/** The configuration that docs/cluster.md has, for one HSMS port, a port of the API, and addresses of the loopback. */
function configuration(port: number, apiPort: number): string {
  const page = readFileSync('docs/cluster.md', 'utf8')
  const [, text = ''] = /^```haproxy\n([\s\S]*?)^```$/m.exec(page) ?? []
  return text
    .replaceAll('10.1.0.100:5000-5019', `${BALANCER}:${port}`)
    .replaceAll('port 7327', `port ${apiPort}`)
    .replaceAll('10.1.0.', '127.0.0.')
}

/** HAProxy until the test is over; `change` makes mistakes in its configuration. */
export async function startHaproxy(
  port: number,
  apiPort: number,
  change: (configuration: string) => string = (text) => text,
): Promise<() => string> {
  const folder = mkdtempSync(join(tmpdir(), 'secsctl-haproxy-'))
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, change(configuration(port, apiPort)))
  let log = ''
  const child = spawn('/usr/sbin/haproxy', ['-db', '-f', file], { stdio: 'pipe' })
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text
    })
  const ended = new Promise((resolve) => child.once('close', resolve))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  return () => log
}
