import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../support/until.js'
import { axeFindings, openPage } from './chromium.js'
import { WebSite } from './web-site.js'

/** `WRITE_PICTURES=1 npx vitest run --config vitest.system.config.ts test/system/web-pictures.test.ts` writes the pictures of docs/web. */
const IS_WRITTEN = process.env['WRITE_PICTURES'] === '1'
const TOOLS = 72
const BAYS = [
  'ETCH-AMAT-CENTURA',
  'LITHO-ASML-NXT',
  'CVD-LAM-VECTOR',
  'IMP-AXCELIS-PURION',
  'CMP-EBARA-FREX',
  'MET-KLA-SPECTRA',
]

let site: WebSite
beforeAll(async () => {
  site = await WebSite.start({ tools: TOOLS, rate: 4 })
  const { items } = await site.list<{ id: string }>('/equipment')
  for (const [at, { id }] of items.entries()) {
    const bay = at % BAYS.length
    const name = `${BAYS[bay]}-${String(1 + Math.floor(at / BAYS.length)).padStart(2, '0')}`
    await site.call('PUT', `/equipment/${id}`, { name, labels: { area: 'front-end', bay: String(1 + bay) } })
  }
  await site.tell('etcher-007 alarm 4001 set', 'etcher-040 alarm 4004 set', 'etcher-040 alarm 4002 set')
  await site.call('POST', `/equipment/${items[20]?.id}/disconnect`)
})
afterAll(() => site.close())

const tilesAre = (count: number) => `document.querySelectorAll('.tile').length === ${count}`
const PICTURES = [
  { name: 'wall-dark', path: '/?wall=', ready: tilesAre(TOOLS), size: [1920, 1080], scheme: 'dark' },
  { name: 'wall-light', path: '/', ready: tilesAre(TOOLS), size: [1280, 720], scheme: 'light' },
  { name: 'wall-4k-light', path: '/?wall=', ready: tilesAre(TOOLS), size: [3840, 2160], scheme: 'light' },
  { name: 'wall-mobile-dark', path: '/', ready: tilesAre(TOOLS), size: [390, 844], scheme: 'dark' },
  {
    name: 'alarms-light',
    path: '/alarms',
    ready: `document.querySelectorAll('tbody tr').length >= 3`,
    size: [1280, 720],
    scheme: 'light',
  },
  {
    name: 'events-dark',
    path: '/events',
    ready: `document.querySelectorAll('.event-list li').length >= 20`,
    size: [1280, 720],
    scheme: 'dark',
  },
  {
    name: 'equipment-dark',
    path: `/equipment/${BAYS[0]}-02?hours=1`,
    ready: `document.querySelector('.chart canvas') && document.querySelectorAll('.segment').length >= 3`,
    size: [1280, 900],
    scheme: 'dark',
  },
  {
    name: 'api-light',
    path: '/api',
    ready: `document.body.innerText.includes('/equipment')`,
    size: [1280, 720],
    scheme: 'light',
  },
] as const

test.each(PICTURES)(
  'the page of the picture $name shows what the docs say of it',
  async ({ name, path, ready, size: [width, height], scheme }) => {
    const { page, errors } = await openPage(site.browser, {
      viewport: { width, height },
      colorScheme: scheme,
    })
    await site.logIn(page)
    await page.goto(site.url + path)
    await until(() => page.evaluate<boolean>(`Boolean(${ready})`))
    expect(await axeFindings(page)).toEqual([])
    // No two names of a group are cut to the same text.
    const texts = await page.evaluate<string[][]>(
      `[...document.querySelectorAll('.group')].map((group) => [...group.querySelectorAll('.tile-text')].map((name) => name.textContent))`,
    )
    for (const group of texts) expect(new Set(group).size).toBe(group.length)
    // And none is cut by its tile.
    const cut = `[...document.querySelectorAll('.tile-text')].filter((name) => name.scrollHeight > name.clientHeight + 2).map((name) => name.textContent)`
    expect(await page.evaluate<string[]>(cut)).toEqual([])
    if (IS_WRITTEN) {
      // Some traffic, and the values that came with it.
      await page.waitForTimeout(25_000)
      await page.screenshot({ path: `docs/web/${name}.png` })
    }
    expect(errors).toEqual([])
  },
)
