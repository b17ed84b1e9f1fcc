import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Event } from '../../src/contract/topics/events.js'
import { until } from '../support/until.js'
import { axeFindings, openPage } from './chromium.js'
import { CutOff } from './cut-off.js'
import { WebSite } from './web-site.js'

const TOOLS = 10

let site: WebSite
let relay: CutOff

beforeAll(async () => {
  site = await WebSite.start({ tools: TOOLS })
  relay = await CutOff.before(site.port)
})
afterAll(async () => {
  relay.close()
  await site.close()
})

/** A page whose way to the gateway can be cut. */
async function openRelayed(path: string) {
  const opened = await openPage(site.browser)
  await opened.page.goto(`http://127.0.0.1:${relay.port}${path}`)
  await opened.page.getByLabel('Email', { exact: true }).fill('admin@fab.example')
  await opened.page.getByLabel('Password', { exact: true }).fill('a long enough password')
  await opened.page.getByRole('button', { name: 'Log in' }).click()
  await opened.page.getByText('Live', { exact: true }).waitFor()
  return opened
}

const shownIds = (page: Page): Promise<string[]> =>
  page.evaluate('[...document.querySelectorAll(".event")].map((row) => row.dataset.id)')

const recordedIds = async (limit: number): Promise<string[]> =>
  (await site.list<Event>(`/events?type=alarm&limit=${limit}`)).items.map(({ id }) => id)

async function untilSame(page: Page, count: number): Promise<void> {
  await until(async () => {
    const [shown, recorded] = [await shownIds(page), await recordedIds(count)]
    return recorded.length === count && recorded.join() === shown.slice(0, count).join()
  })
}

const storm = (how: 'set' | 'clear'): Promise<void> => site.tell(`etcher-* alarm 4001 ${how}`)

test('events go on after an interruption without a missing one', async () => {
  const { page, errors } = await openRelayed('/events?type=alarm')
  await storm('set')
  await untilSame(page, TOOLS)
  for (let round = 1; round <= 3; round++) {
    relay.cut()
    // While it is away, and while it comes back.
    await storm(round % 2 === 1 ? 'clear' : 'set')
  }
  await untilSame(page, 4 * TOOLS)
  expect(await page.getByText('The stream could not be resumed').count()).toBe(0)
  expect(errors).toEqual([])
  expect(await axeFindings(page)).toEqual([])
})

test('an event has a link, which shows it with what was before it', async () => {
  const { page } = await openPage(site.browser)
  const [newest = '', older = ''] = await recordedIds(2)
  await site.logIn(page, `/events?event=${older}`)
  await until(async () => (await shownIds(page))[0] === older || (await shownIds(page))[1] === older)
  await page.getByText('"alid": "4001"').first().waitFor()
  expect(await page.locator(`.event[data-id="${older}"] details`).getAttribute('open')).not.toBeNull()
  await page.getByRole('link', { name: 'Show live events' }).click()
  await until(async () => (await shownIds(page)).includes(newest))
  await page.goto(`${site.url}/events?event=999999999`)
  await page.getByText('There is no event 999999999').waitFor()
})

test('while nothing comes from the gateway, no tile says that all is well', async () => {
  const { page } = await openRelayed('/')
  await page.locator('.tile.state-remote').first().waitFor()
  relay.silence(true)
  await page.getByText(/No data from the gateway for \d\d s\./).waitFor()
  expect(await page.locator('.tile:not(.state-nodata)').count()).toBe(0)
  expect(await page.locator('.tile', { hasText: 'No data' }).count()).toBe(TOOLS)
  expect(await axeFindings(page)).toEqual([])
  relay.silence(false)
  relay.cut()
  await page.locator('.tile.state-remote').first().waitFor()
  await expect.poll(() => page.getByText('No data').count()).toBe(0)
})

test('the page goes on by itself when the daemon is restarted', async () => {
  const { page } = await openPage(site.browser)
  await site.logIn(page, '/events?type=alarm')
  await until(async () => (await shownIds(page)).length > 0)
  const before = (await recordedIds(1))[0]
  await site.stopDaemon()
  await page.getByText('Reconnecting', { exact: true }).waitFor()
  await site.startDaemon()
  await page.getByText('Live', { exact: true }).waitFor()
  await site.untilCommunicating(TOOLS)
  await storm('set')
  await storm('clear')
  await until(async () => (await recordedIds(1))[0] !== before)
  await untilSame(page, 2 * TOOLS)
})

test('a session that has ended asks for a login, and goes on at the same place', async () => {
  const { page } = await openPage(site.browser)
  await site.logIn(page, '/alarms?show=active&q=etcher')
  const token = (await page.evaluate('JSON.parse(sessionStorage.getItem("secsctl-session")).token')) as string
  const headers = { authorization: `Bearer ${token}` }
  await fetch(`${site.url}/api/v1/auth/logout`, { method: 'POST', headers })
  await page.getByText('Your session has ended.').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await page.getByLabel('Email', { exact: true }).fill('admin@fab.example')
  await page.getByLabel('Password', { exact: true }).fill('a long enough password')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { name: 'Alarms', level: 1 }).waitFor()
  expect(new URL(page.url()).search).toBe('?show=active&q=etcher')
})

test('who logs out leaves nothing for the next person', async () => {
  const { page } = await openPage(site.browser)
  await site.logIn(page, '/events')
  const token = (await page.evaluate('JSON.parse(sessionStorage.getItem("secsctl-session")).token')) as string
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  expect(await page.evaluate('localStorage.length + sessionStorage.length')).toBe(0)
  expect(await page.context().cookies()).toEqual([])
  // The login is shown at once, and the token is revoked meanwhile.
  const headers = { authorization: `Bearer ${token}` }
  await until(async () => (await fetch(`${site.url}/api/v1/users/me`, { headers })).status === 401)
  await page.reload()
  await page.getByLabel('Password', { exact: true }).waitFor()
  expect(await page.getByRole('heading', { name: 'Log in' }).count()).toBe(1)
})
