import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN } from '../support/daemon-process.js'
import { until } from '../support/until.js'
import { openPage } from './chromium.js'
import { WebSite } from './web-site.js'

const ANN = { email: 'ann@fab.example', password: 'another long password' }

let site: WebSite
beforeAll(async () => {
  site = await WebSite.start({ tools: 1 })
  await site.call('POST', '/users', { ...ANN, name: 'Ann', role: 'operator' })
})
afterAll(() => site.close())

const loggedOut = (page: Page) => page.getByRole('heading', { name: 'Log in' }).waitFor()
const loggedIn = (page: Page, email: string = ADMIN.email) =>
  page.locator('.who', { hasText: email }).waitFor()
const tokenOf = async (page: Page): Promise<string> =>
  ((await page.evaluate(
    'JSON.parse(sessionStorage.getItem("secsctl-session") ?? "{}").token ?? ""',
  )) as string) ?? ''
const isTaken = async (token: string): Promise<boolean> =>
  (await fetch(`${site.url}/api/v1/users/me`, { headers: { authorization: `Bearer ${token}` } })).ok

/** Another tab of the same browser. */
async function openTab(context: BrowserContext, path = '/', origin = site.url): Promise<Page> {
  const page = await context.newPage()
  await page.goto(origin + path)
  return page
}

test('a login counts for all tabs, those that are open and those that are opened later, and so does its end', async () => {
  const { page: first, errors } = await openPage(site.browser)
  const waiting = await openTab(first.context(), '/alarms')
  await loggedOut(waiting)
  await site.logIn(first)
  await loggedIn(waiting)
  expect(new URL(waiting.url()).pathname).toBe('/alarms')
  const later = await openTab(first.context(), '/events')
  await loggedIn(later)
  const token = await tokenOf(first)
  expect(await tokenOf(later)).toBe(token)

  await later.getByRole('button', { name: 'Log out' }).click()
  for (const page of [first, waiting, later]) {
    await loggedOut(page)
    expect(await page.evaluate('localStorage.length + sessionStorage.length')).toBe(0)
    expect(await page.getByText('Your session has ended.').count()).toBe(0)
  }
  await until(async () => !(await isTaken(token)))
  await loggedOut(await openTab(first.context()))
  expect(await first.context().cookies()).toEqual([])
  expect(errors).toEqual([])
})

test('a session that the gateway ended has ended in all tabs, and a new login continues in all', async () => {
  const { page: first } = await openPage(site.browser)
  await site.logIn(first)
  const second = await openTab(first.context(), '/alarms?show=active')
  await loggedIn(second)
  const headers = { authorization: `Bearer ${await tokenOf(first)}` }
  await fetch(`${site.url}/api/v1/auth/logout`, { method: 'POST', headers })
  for (const page of [first, second]) await page.getByText('Your session has ended.').waitFor()
  await site.logIn(first)
  await loggedIn(second)
  expect(new URL(second.url()).search).toBe('?show=active')
})

test('a second user replaces the first one in all tabs, whose token ends', async () => {
  const { page: first } = await openPage(site.browser)
  await site.logIn(first)
  const token = await tokenOf(first)
  // A tab that the first one did not answer: as one that the browser has frozen.
  const second = await first.context().newPage()
  await second.addInitScript(
    'window.BroadcastChannel.prototype.postMessage = new Proxy(BroadcastChannel.prototype.postMessage, { apply: (send, self, [message]) => message.kind === "ask" ? undefined : Reflect.apply(send, self, [message]) })',
  )
  await site.logIn(second, '/', ANN)
  await loggedIn(first, ANN.email)
  await until(async () => !(await isTaken(token)))
  expect(await isTaken(await tokenOf(first))).toBe(true)
})

test('the key of a screen stays in its tab, and a user beside it changes nothing there', async () => {
  const { key } = await site.call<{ key: string }>('POST', '/keys', {
    name: 'screen',
    role: 'viewer',
    expires_at: null,
  })
  const { page: user } = await openPage(site.browser)
  const listener = await openTab(user.context())
  await listener.evaluate(
    'window.heard = []; new BroadcastChannel("secsctl-session").onmessage = ({ data }) => heard.push(data)',
  )
  const screen = await openTab(user.context(), `/?wall=#key=${key}`)
  await screen.locator('.tile').first().waitFor()
  const asking = await openTab(user.context(), '/events')
  await loggedOut(asking)
  await site.logIn(user)
  await loggedIn(asking)
  await user.getByRole('button', { name: 'Log out' }).click()
  await loggedOut(asking)
  await screen.reload()
  await screen.locator('.tile').first().waitFor()
  expect(await tokenOf(screen)).toBe(key)
  await until(async () => (await listener.evaluate<number>('heard.length')) >= 3)
  expect(await listener.evaluate<string>('JSON.stringify(heard)')).not.toContain(key)
})

test('a page of another origin on the same host gets no session, and its calls have no rights', async () => {
  const other = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>x</title>'),
  )
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  try {
    const { page: user } = await openPage(site.browser)
    await site.logIn(user)
    const attack = await openTab(
      user.context(),
      '/',
      `http://127.0.0.1:${(other.address() as AddressInfo).port}`,
    )
    await attack.evaluate(
      'window.heard = []; window.way = new BroadcastChannel("secsctl-session"); way.onmessage = ({ data }) => heard.push(data); way.postMessage({ kind: "ask" })',
    )
    // A tab of the page is answered meanwhile.
    await loggedIn(await openTab(user.context(), '/alarms'))
    expect(await attack.evaluate('heard')).toEqual([])
    const { items } = await site.list<{ id: string }>('/equipment')
    const sent: string[] = []
    user.context().on('response', (response) => {
      if (response.request().method() === 'POST') sent.push(`${response.status()}`)
    })
    for (const path of ['/auth/logout', `/equipment/${items[0]?.id}/disconnect`])
      await attack.evaluate(
        `fetch(${JSON.stringify(`${site.url}/api/v1${path}`)}, { method: 'POST', mode: 'no-cors', credentials: 'include' }).catch(() => undefined)`,
      )
    await until(async () => sent.length === 2)
    expect(sent).toEqual(['401', '401'])
    expect(await isTaken(await tokenOf(user))).toBe(true)
  } finally {
    other.close()
    other.closeAllConnections()
  }
})
