import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../support/until.js'
import { axeFindings, openPage } from './chromium.js'
import { fabNames } from './fab-names.js'
import { WebSite } from './web-site.js'

const TOOLS = 200
const NAMES = fabNames(TOOLS)
/** Names that the gateway takes, and that a page can get wrong: markup, right to left, no place to break, pictures. */
const ODD_NAMES = ['<img src=x onerror="document.title=1">', 'מכונת איכול ٣', 'W'.repeat(60), '🔥🧯 etch 🏭']
/** `PICTURES=/tmp/x` writes what somebody looks at. */
const PICTURES = process.env['PICTURES']

let site: WebSite
let key = ''
beforeAll(async () => {
  site = await WebSite.start({ tools: TOOLS, rate: 20 })
  const { items } = await site.list<{ id: string }>('/equipment?limit=1000')
  for (const [at, { id }] of items.entries()) {
    const { name, bay } = NAMES[at] ?? { name: '', bay: '' }
    await site.call('PUT', `/equipment/${id}`, { name: ODD_NAMES[at - 10] ?? name, labels: { bay } })
  }
  await site.tell('etcher-00* alarm 4001 set', 'etcher-040 alarm 4004 set', 'etcher-040 alarm 4002 set')
  for (const tool of items.slice(20, 24)) await site.call('POST', `/equipment/${tool.id}/disconnect`)
  await runLots(items[0]?.id ?? '')
  const made = await site.call<{ key: string }>('POST', '/keys', {
    ...{ name: 'walk', role: 'engineer', expires_at: null },
  })
  key = made.key
})
afterAll(() => site.close())

async function runLots(id: string): Promise<void> {
  for (const kind of ['status', 'data']) await site.call('GET', `/equipment/${id}/variables?kind=${kind}`)
  for (const lot of ['LOT-2026-4711', '<b>lot</b> née 4712']) {
    const parameters = { LOTID: lot, PPID: 'OXIDE-ETCH-01' }
    // While the lot before is processed, START is refused: reports of the fleet show a lot before it has ended, too.
    await until(async () => {
      const command = { command: 'START', parameters }
      return (await site.call<{ accepted: boolean }>('POST', `/equipment/${id}/command`, command)).accepted
    })
    await until(async () => {
      const { items } = await site.list<{ text: string }>(`/equipment/${id}/variables/history?limit=200`)
      return items.filter(({ text }) => text === lot).length >= 2
    })
  }
}

const tool = `/equipment/${NAMES[0]?.name}`
/** Each page of the site, with the element that shows that it is there. */
const PAGES: readonly (readonly [name: string, path: string, ready: string])[] = [
  ['wall', '/', '.tile'],
  ['kiosk', '/?wall=&group=bay', '.tile'],
  ['alarms', '/alarms', 'tbody tr'],
  ['events', '/events', '.event'],
  ['shift', '/shift?e10=remote.productive', '.shift-lane'],
  ['alarm-rates', '/alarm-rates', '.heat-cell'],
  ['equipment', `${tool}?hours=1`, '.chart canvas'],
  ['lot-runs', `${tool}?hours=1&runs=1012`, '.run-area svg'],
  ['messages', `${tool}?message=S6F11&sml=1`, '.event pre'],
  ['ladder', `${tool}?ladder=1`, '.ladder-panel svg'],
  ['api', '/api', 'details'],
  ['nothing', '/no-such-page', 'h1'],
]

/** What does not fit: a page that scrolls sideways, and elements that cover each other's text. */
const TOO_WIDE = `document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll('#app *')]
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
  .map((one) => one.tagName + ' ' + one.className).slice(0, 10)`
const SAME_NAMES = `[...document.querySelectorAll('.group')].flatMap((group) => {
  const names = [...group.querySelectorAll('.tile-text')].map((name) => name.textContent)
  return names.filter((name, at) => names.indexOf(name) !== at)
})`

/** What axe finds twice: a tile that changes its state meanwhile has the colours of two. */
async function lastingFindings(page: Page): Promise<readonly string[]> {
  // The browser does not paint tiles outside of the screen, so that axe would not know the colour of their background.
  await page.evaluate(
    'for (const tile of document.querySelectorAll(".tile")) tile.style.contentVisibility = "visible"',
  )
  return (await axeFindings(page)).length === 0 ? [] : axeFindings(page)
}

async function walk(page: Page, size: string): Promise<readonly string[]> {
  const found: string[] = []
  for (const [name, path, ready] of PAGES) {
    await page.goto(`${site.url}${path}#key=${key}`)
    await page.locator(ready).first().waitFor()
    if (name === 'lot-runs' || name === 'messages' || name === 'ladder')
      // The newest message is another one by then where a report comes meanwhile.
      await until(() =>
        page
          .locator(ready)
          .first()
          .scrollIntoViewIfNeeded()
          .then(
            () => true,
            () => false,
          ),
      )
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const place = `${name} ${size} ${colorScheme}`
      for (const finding of await lastingFindings(page)) found.push(`${place}: ${finding}`)
      if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}-${size}-${colorScheme}.png` })
    }
    const wide = await page.evaluate<readonly string[]>(TOO_WIDE)
    const same = await page.evaluate<readonly string[]>(SAME_NAMES)
    for (const one of [...wide, ...same]) found.push(`${name} ${size}: ${one}`)
  }
  return found
}

test.each([
  [390, 844],
  [1280, 720],
  [1920, 1080],
  [3840, 2160],
])(
  'each page with 200 tools and odd names has its place at %i × %i in both schemes',
  async (width, height) => {
    const { page, errors } = await openPage(site.browser, { viewport: { width, height } })
    expect(await walk(page, `${width}`)).toEqual([])
    expect(await page.title()).not.toBe('1')
    expect(errors).toEqual([])
    await page.context().close()
  },
)
