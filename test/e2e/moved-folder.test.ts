import { once } from 'node:events'
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DaemonProcess, Home } from '../support/daemon-process.js'
import { PlainClient } from '../support/plain-client.js'

let home: Home
let daemon: DaemonProcess

beforeEach(() => {
  home = new Home()
})
afterEach(async () => {
  await daemon.end('SIGKILL')
  home.dispose()
})

const data = (): string => join(home.folder, 'secsctl', 'data')

test.each([
  ['its lock file is removed', () => rmSync(join(data(), 'lock'))],
  ['its folder is moved', () => renameSync(data(), `${data()}-moved`)],
])('a daemon ends by itself within seconds when %s, and another one may start', async (_, accident) => {
  daemon = await DaemonProcess.start(home)
  accident()
  const [code] = await once(daemon.child, 'exit')
  expect(code).toBe(1)
  expect(daemon.log()).toMatch(/Error: the store has failed.*lock is gone: the folder was moved or replaced/)
  daemon = await DaemonProcess.start(home)
  await new PlainClient(daemon.url).login()
})
