import type { ChildProcess } from 'node:child_process'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { exampleGateway } from '../support/example-gateway.js'
import type { FakeGateway } from '../support/fake-gateway.js'
import { ended, Secsctl } from '../support/secsctl.js'
import { until } from '../support/until.js'

const secsctl = new Secsctl()
let gateway: FakeGateway
let env: Record<string, string>
let tail: ChildProcess | undefined

beforeEach(async () => {
  gateway = exampleGateway()
  env = { SECSCTL_URL: await gateway.listen(), SECSCTL_TOKEN: 'example' }
})
afterEach(async () => {
  tail?.kill('SIGKILL')
  await gateway.close()
})
afterAll(() => secsctl.remove())

test.each(['events tail --json', 'wire tail etcher --json'])(
  '%s tells people that the gateway is lost, and programs nothing that is not of the stream',
  async (line) => {
    tail = secsctl.start(line.split(' '), env)
    const over = ended(tail)
    let told = ''
    let shown = ''
    tail.stderr?.on('data', (text: string) => {
      told += text
    })
    tail.stdout?.on('data', (text: string) => {
      shown += text
    })
    await until(() => shown.includes('\n'))
    await gateway.close()
    await until(() => /Trying again in [\d.]+ s\.\n/.test(told))
    tail.kill('SIGINT')
    const { code, stdout } = await over
    expect(code).toBe(130)
    for (const one of stdout.trimEnd().split('\n')) expect(JSON.parse(one)).toBeTypeOf('object')
  },
)
