import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Simulator } from '../../src/simulator/simulator.js'
import { until } from '../support/until.js'
import { axeFindings, openPage } from './chromium.js'
import { toolInTheMiddle } from './gem300-tool-on-site.js'
import { WebSite } from './web-site.js'

/** `PICTURES=/tmp/x` writes what somebody looks at. */
const PICTURES = process.env['PICTURES']
const NAME = 'etch300'
const PANELS = ['Load ports', 'Jobs', 'Performance of modules'] as const

let site: WebSite
let simulator: Simulator
let key = ''
beforeAll(async () => {
  site = await WebSite.start({ tools: 1 })
  simulator = await toolInTheMiddle(site, NAME)
  const made = await site.call<{ key: string }>('POST', '/keys', {
    ...{ name: 'walk', role: 'engineer', expires_at: null },
  })
  key = made.key
})
afterAll(async () => {
  await simulator?.stop()
  await site?.close()
})

/** Times above the lanes that cover each other, and columns whose words are broken into pieces. */
const OVERLAPS = `[...document.querySelectorAll('.module-table .shift-axis')].flatMap((axis) => {
  const shown = [...axis.children].map((one) => one.getBoundingClientRect()).filter(({ width }) => width > 0)
  return shown.flatMap((one, at) => (shown[at + 1] && one.right > shown[at + 1].left ? ['times ' + at] : []))
})`
const NARROW = `[...document.querySelectorAll('.job-table :is(th, td)')]
  .filter((one) => one.textContent && one.offsetWidth > 0 && one.offsetWidth < 56 && !/^(No[.]|[0-9]+)$/.test(one.textContent))
  .map((one) => one.textContent + ' in ' + one.offsetWidth)`
const TOO_WIDE = 'document.documentElement.scrollWidth - window.innerWidth'

test.each([
  [320, 640],
  [390, 844],
  [768, 1024],
  [1280, 720],
  [1920, 1080],
])('a 300 mm tool in the middle of a lot has its place at %i × %i in both schemes', async (width, height) => {
  const { page, errors } = await openPage(site.browser, { viewport: { width, height } })
  await page.goto(`${site.url}/equipment/${NAME}?hours=1#key=${key}`)
  await page.locator('.module-table .shift-lane').first().waitFor()
  await page.locator('.slot').nth(5).click()
  await page.locator('.way li').first().waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await axeFindings(page)).toEqual([])
    for (const name of PICTURES ? PANELS : [])
      await page
        .getByRole('region', { name, exact: true })
        .first()
        .screenshot({ path: `${PICTURES}/gem300-${name.replaceAll(' ', '-')}-${width}-${colorScheme}.png` })
  }
  expect(await page.evaluate<number>(TOO_WIDE)).toBeLessThanOrEqual(0)
  expect(await page.evaluate<readonly string[]>(OVERLAPS)).toEqual([])
  expect(await page.evaluate<readonly string[]>(NARROW)).toEqual([])
  expect(errors).toEqual([])
  await page.context().close()
})

test('the performance of modules follows events: it is read once', async () => {
  const { page } = await openPage(site.browser, { viewport: { width: 1280, height: 720 } })
  let reads = 0
  page.on('request', (request) => {
    if (/\/performance\?/.test(request.url())) reads++
  })
  await page.goto(`${site.url}/equipment/${NAME}?hours=1#key=${key}`)
  const lane = page.getByRole('slider', { name: /ETCH300/ })
  await lane.waitFor()
  const before = reads
  const state = (word: RegExp) =>
    until(async () => word.test((await lane.getAttribute('aria-valuetext')) ?? ''))
  // It was paused in the middle of its lot.
  await state(/BLOCKED/)
  simulator.tool?.operate('resume')
  await state(/BUSY|IDLE/)
  expect(reads).toBe(before)
  await page.context().close()
})
