import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { FormBrowser, signOnAs } from '../gateway/sign-on/form-browser.js'
import { TestProvider } from '../gateway/sign-on/identity-provider.js'
import { ANN, ENGINEERS, SignOnSite, signOnSettings } from '../gateway/sign-on/sign-on-site.js'
import { DAEMON_ADMIN } from '../support/daemon-here.js'
import { freePort } from '../support/free-port.js'
import { ended, Secsctl } from '../support/secsctl.js'
import { until } from '../support/until.js'

let provider: TestProvider
let site: SignOnSite
let secsctl: Secsctl

beforeAll(async () => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  provider = await TestProvider.start({ publicUrls: [url] })
  await provider.setUsers({ ann: ANN })
  site = await SignOnSite.start(port, { signOn: signOnSettings(provider, url, { tokenSeconds: 2 }) })
  secsctl = new Secsctl()
})

afterAll(async () => {
  secsctl?.remove()
  await site?.dispose()
  await provider?.dispose()
})

test('login --sso in a pipe prints address and code, waits, and keeps a session that commands continue', async () => {
  const child = secsctl.start(['login', '--sso', '--url', site.url], { SECSCTL_KEYCHAIN: 'file' })
  const ran = ended(child)
  let told = ''
  child.stderr?.on('data', (text: Buffer) => {
    told += text.toString()
  })
  await until(() => /^ {2}[A-Z]{4}-[A-Z]{4}$/m.test(told))
  const [address = ''] = /http:\S+/.exec(told) ?? []
  const browser = new FormBrowser()
  await browser.open(address)
  await signOnAs(browser, 'ann')
  const { code, stdout, stderr } = await ran
  expect([code, stdout]).toEqual([0, expect.stringContaining('ann@fab.example (engineer)')])
  expect(stderr).not.toContain('A browser was asked')

  const env = { SECSCTL_KEYCHAIN: 'file' }
  const who = await secsctl.run(['whoami', '--json'], { env })
  expect(JSON.parse(who.stdout)).toMatchObject({
    email: 'ann@fab.example',
    label_selector: 'area=etch',
    sign_on: { subject: 'ann', rule: ENGINEERS },
  })
  // A token of two seconds is never long enough: each command has continued the session.
  await provider.setUsers({ ann: { groups: [], email: 'ann@fab.example' } })
  await until(async () => (await secsctl.run(['whoami'], { env })).code !== 0)
  const lost = await secsctl.run(['whoami'], { env })
  expect([lost.code, lost.stderr]).toEqual([4, expect.stringContaining('login')])
  expect(lost.stderr).toContain('--sso')
})

test('logout ends the session here and tells where it ends at the provider', async () => {
  await provider.setUsers({ bea: { groups: [ENGINEERS], email: 'bea@fab.example' } })
  const env = { SECSCTL_KEYCHAIN: 'file' }
  const child = secsctl.start(['login', '--sso', '--no-browser', '--url', site.url, '--json'], env)
  const ran = ended(child)
  let told = ''
  child.stderr?.on('data', (text: Buffer) => {
    told += text.toString()
  })
  await until(() => /http:\S+/.test(told))
  const browser = new FormBrowser()
  await browser.open(/http:\S+/.exec(told)?.[0] ?? '')
  await signOnAs(browser, 'bea')
  expect(JSON.parse((await ran).stdout)).toMatchObject({ user: { email: 'bea@fab.example' } })
  const out = await secsctl.run(['logout', '--json'], { env })
  expect(JSON.parse(out.stdout)).toMatchObject({
    revoked: true,
    end_session_url: expect.stringContaining(provider.issuer),
  })
  expect((await secsctl.run(['whoami'], { env })).code).toBe(4)
})

test('doctor says how users sign on, and names the local administrators', async () => {
  const home = new Secsctl()
  onTestFinished(() => home.remove())
  const env = { SECSCTL_KEYCHAIN: 'file', SECSCTL_PASSWORD: DAEMON_ADMIN.password }
  await home.run(['login', '--url', site.url, '--email', DAEMON_ADMIN.email], { env })
  const { stdout } = await home.run(['doctor', '-o', 'tsv'], { env })
  expect(stdout).toContain(`Fab accounts (${provider.issuer}); passwords, too`)
  expect(stdout).toMatch(new RegExp(`local administrators.*: ${DAEMON_ADMIN.email}`))
})
