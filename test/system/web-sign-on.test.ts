import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page, Response } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GatewayClient } from '../../src/client/client.js'
import { endpoints } from '../../src/contract/endpoints.js'
import { CLIENT, TestProvider } from '../gateway/sign-on/identity-provider.js'
import { ANN, ENGINEERS } from '../gateway/sign-on/sign-on-site.js'
import { ADMIN, DaemonProcess, Home } from '../support/daemon-process.js'
import { freePort } from '../support/free-port.js'
import { until } from '../support/until.js'
import { launchChromium, openPage } from './chromium.js'

const home = new Home()
let provider: TestProvider
let daemon: DaemonProcess
let browser: Browser
let url: string

/** The settings of a person, in a file: as the built command reads them. */
function configured(tokenLifetime: string): string {
  const file = join(home.folder, 'daemon.yaml')
  writeFileSync(join(home.folder, 'secret'), `${CLIENT.secret}\n`, { mode: 0o600 })
  writeFileSync(
    file,
    `auth:
  oidc:
    issuer: ${provider.issuer}
    client_id: ${CLIENT.id}
    client_secret_file: secret
    public_url: ${url}
    name: Fab accounts
    token_lifetime: ${tokenLifetime}
  roles:
    - { group: ${ENGINEERS}, role: engineer }
`,
  )
  return file
}

beforeAll(async () => {
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  provider = await TestProvider.start({ publicUrls: [url] })
  await provider.setUsers({ ann: ANN, tom: { groups: ['others'], email: 'tom@fab.example' } })
  daemon = await DaemonProcess.start(home, ['--port', String(port), '--config', configured('1m')])
  browser = await launchChromium()
})

afterAll(async () => {
  await browser?.close()
  await daemon?.end('SIGTERM')
  await provider?.dispose()
  home.dispose()
})

async function signOnAs(page: Page, user: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign on with Fab accounts' }).click()
  await page.locator('input[name=login]').fill(user)
  await page.locator('input[name=password]').fill('any')
  await page.locator('button[type=submit]').click()
  await page.getByRole('button', { name: /continue/i }).click()
}

const tokenOf = async (page: Page): Promise<unknown> =>
  page.evaluate('JSON.parse(sessionStorage.getItem("secsctl-session") ?? "{}").token')

test('a user signs on and is back at the page of before, with nothing of it in the address', async () => {
  const { page, errors } = await openPage(browser)
  await page.goto(`${url}/alarms?show=active`)
  await signOnAs(page, 'ann')
  await page.locator('.who', { hasText: 'ann@fab.example' }).waitFor()
  expect(page.url()).toBe(`${url}/alarms?show=active`)

  // Another tab has the session, and gets its own tokens.
  const other = await page.context().newPage()
  await other.goto(`${url}/events`)
  await other.locator('.who', { hasText: 'ann@fab.example' }).waitFor()

  // A token that is no longer taken is replaced without a word.
  const before = await tokenOf(page)
  await until(async () => (await tokenOf(page)) !== before, 150_000)
  await page.locator('.who', { hasText: 'ann@fab.example' }).waitFor()

  // Logging out ends the session in all tabs, and at the provider.
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.waitForURL((at) => at.href.startsWith(provider.issuer))
  await other.getByRole('heading', { name: 'Log in' }).waitFor()
  expect(errors).toEqual([])
})

test('the page shows the login of a local administrator, and keeps its session while the provider is away', async () => {
  const { page } = await openPage(browser)
  await page.goto(`${url}/events`)
  await signOnAs(page, 'ann')
  await page.locator('.who', { hasText: 'ann@fab.example' }).waitFor()
  await new GatewayClient({ url }).call(endpoints.login, { body: ADMIN })
  await page.getByText('Local administrator logged in with a password').waitFor()
  const before = await tokenOf(page)
  await provider.kill()
  const isRefused = (response: Response): boolean =>
    response.url().endsWith('/auth/sso/refresh') && response.status() === 503
  await page.waitForResponse(isRefused, { timeout: 150_000 })
  await provider.begin()
  await until(async () => (await tokenOf(page)) !== before)
  await page.locator('.who', { hasText: 'ann@fab.example' }).waitFor()
  expect(typeof (await tokenOf(page))).toBe('string')
})

test('who has no group is told so, and which groups came', async () => {
  const { page } = await openPage(browser)
  await page.goto(`${url}/`)
  await signOnAs(page, 'tom')
  await page.getByText(/No rule of auth\.roles names a group.*others/).waitFor()
})
