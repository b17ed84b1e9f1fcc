import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { FormBrowser, signOnAs } from '../gateway/sign-on/form-browser.js'
import { TestProvider } from '../gateway/sign-on/identity-provider.js'
import { ANN, SignOnSite, signOnSettings } from '../gateway/sign-on/sign-on-site.js'
import { freePort } from '../support/free-port.js'
import { PseudoTerminal } from '../support/pseudo-terminal.js'
import { Secsctl } from '../support/secsctl.js'
import { until } from '../support/until.js'

const SCREEN = { DISPLAY: ':0' }
const ASKED = 'A browser was asked'

let folder: string
/** What the last `xdg-open` was given, a line each. */
let opened: string
let provider: TestProvider
let site: SignOnSite
let secsctl: Secsctl

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'secsctl-browser-'))
  opened = join(folder, 'opened')
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  provider = await TestProvider.start({ publicUrls: [url] })
  await provider.setUsers({ ann: ANN })
  site = await SignOnSite.start(port, { signOn: signOnSettings(provider, url) })
  secsctl = new Secsctl()
})

afterAll(async () => {
  secsctl?.remove()
  await site?.dispose()
  await provider?.dispose()
  rmSync(folder, { recursive: true, force: true })
})

beforeEach(() => {
  rmSync(opened, { force: true })
  withProgram('exit 0')
})

/** A browser of the system that writes down what it was given. */
function withProgram(then: string): void {
  const program = join(folder, 'xdg-open')
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$@" > ${opened}\n${then}\n`, { mode: 0o755 })
}

/** `login --sso` on a terminal. */
function login(
  env: NodeJS.ProcessEnv,
  { flags = '', url = site.url, PATH = `${folder}:${process.env['PATH']}` } = {},
): PseudoTerminal {
  const command = `${process.execPath} bin/run.js login --sso --url ${url} ${flags}`
  const terminal = new PseudoTerminal(command, {
    ...secsctl.environment({ SECSCTL_KEYCHAIN: 'file' }),
    ...env,
    PATH,
  })
  onTestFinished(() => terminal.kill())
  return terminal
}

/** The user signs on in a browser of another machine. */
async function signedOn(terminal: PseudoTerminal): Promise<void> {
  await terminal.shows(/[A-Z]{4}-[A-Z]{4}\s/)
  const [address = ''] = /http:\S+/.exec(terminal.text) ?? []
  const browser = new FormBrowser()
  await browser.open(address)
  await signOnAs(browser, 'ann')
  expect(await terminal.ended()).toBe(0)
  expect(terminal.text).toContain('ann@fab.example (engineer)')
}

test.each(['DISPLAY', 'WAYLAND_DISPLAY'])(
  'where there is a screen (%s), the browser gets the address alone',
  async (name) => {
    const terminal = login({ [name]: ':0' })
    await terminal.shows(ASKED)
    const given = await until(
      () => existsSync(opened) && readFileSync(opened, 'utf8').endsWith('\n') && readFileSync(opened, 'utf8'),
    )
    expect(given).toBe(`${/http:\S+/.exec(terminal.text)?.[0]}\n`)
    expect(new URL(given).searchParams.get('user_code')).toMatch(/^[A-Z]{4}-[A-Z]{4}$/)
  },
)

test.each(['exit 1', 'kill -9 $$', 'exec sleep 30'])(
  'a browser that does not open (%s) does not matter',
  async (then) => {
    withProgram(then)
    await signedOn(login(SCREEN))
  },
)

test('without a program that opens it, nothing says that one was asked', async () => {
  // The one of this machine is not found either.
  const bare = join(folder, 'bare')
  mkdirSync(bare)
  for (const name of ['script', 'sh', 'stty']) symlinkSync(`/usr/bin/${name}`, join(bare, name))
  const terminal = login(SCREEN, { PATH: bare })
  await signedOn(terminal)
  expect(terminal.text).not.toContain(ASKED)
})

test.each<readonly [string, NodeJS.ProcessEnv, string]>([
  ['without a screen', {}, ''],
  ['over ssh', { ...SCREEN, SSH_CONNECTION: '192.0.2.1 50000 192.0.2.2 22' }, ''],
  ['in a pipeline of CI', { ...SCREEN, CI: 'true' }, ''],
  ['with --no-browser', SCREEN, '--no-browser'],
])('%s no browser is asked', async (_, env, flags) => {
  const terminal = login(env, { flags })
  await signedOn(terminal)
  expect([existsSync(opened), terminal.text.includes(ASKED)]).toEqual([false, false])
})

test.each(['file:///etc/passwd', 'javascript:alert(1)', '--help', 'vscode://x'])(
  'an address of a gateway that is none of the web (%s) is not opened',
  async (verification_uri) => {
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'application/json')
      const code = { device_code: 'any', user_code: 'ABCD-EFGH', expires_in: 600, interval: 600 }
      response.end(JSON.stringify({ ...code, verification_uri, verification_uri_complete: null }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.closeAllConnections())
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const terminal = login(SCREEN, { url })
    await terminal.shows('ABCD-EFGH')
    // Past the place where it would have been asked.
    await terminal.shows(/waiting for the sign-on/)
    expect([existsSync(opened), terminal.text.includes(ASKED)]).toEqual([false, false])
  },
)
