import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lineOf, Secsctl } from '../support/secsctl.js'
import { axeFindings, launchChromium, openPage } from './chromium.js'

/** `PICTURES=/tmp/x` writes what somebody looks at. */
const PICTURES = process.env['PICTURES']
const secsctl = new Secsctl()
const html = join(secsctl.home, 'report.html')
let browser: Browser
let simulator: ChildProcess

/** The equipment's own, short enough to be waited for, and longer than a busy machine holds up a reply. */
const TIMERS = ['t3=5s', 't6=4s', 't7=6s', 't8=2s'].flatMap((timer) => ['--timer', timer])

beforeAll(async () => {
  browser = await launchChromium()
  simulator = secsctl.start([
    'simulator',
    'run',
    'etcher',
    '--port',
    '0',
    '--control',
    '0',
    '--json',
    ...TIMERS,
  ])
  const { port, control } = JSON.parse(await lineOf(simulator, /"port":\d+/)) as Record<string, number>
  await secsctl.run(['simulator', 'tell', String(control), 'ack', 'S2F42', '0'])
  expect(await secsctl.run(['conform', `127.0.0.1:${port}`, '--html', html, ...TIMERS])).toMatchObject({
    code: 8,
  })
})
afterAll(async () => {
  simulator.kill('SIGKILL')
  await browser.close()
  secsctl.remove()
})

/** The background in the colours of the scheme, as red, green and blue. */
const BACKGROUND = `getComputedStyle(document.body).backgroundColor`
const LIGHT = 'rgb(255, 255, 255)'
/** The text of a diagram in light colours. */
const INK = 'rgb(28, 36, 44)'

test.each(['light', 'dark'] as const)(
  'the report needs nothing from elsewhere, and can be read in %s colours',
  async (colorScheme) => {
    for (const width of [1280, 390]) {
      const { page, errors, origins } = await openPage(browser, {
        colorScheme,
        viewport: { width, height: 900 },
      })
      await page.goto(`file://${html}`)
      await page.locator('details').first().evaluate('(one) => { one.open = true }')
      expect((await page.evaluate(BACKGROUND)) === LIGHT).toBe(colorScheme === 'light')
      expect({ errors, origins: [...origins] }).toEqual({ errors: [], origins: ['null'] })
      expect(await axeFindings(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      // The link of a step leads to its messages.
      const failed = page.locator('tr', { hasText: 'An unknown command is refused' }).first()
      await failed.getByRole('link').click()
      expect(await page.locator('section:target svg').count()).toBe(1)
      if (PICTURES) await page.screenshot({ path: join(PICTURES, `failed-${colorScheme}-${width}.png`) })
      await page.evaluate('scrollTo(0, 0)')
      if (PICTURES) await page.screenshot({ path: join(PICTURES, `report-${colorScheme}-${width}.png`) })
      await page.context().close()
    }
  },
)

test('the report is printed in light colours, also where the reader has dark ones', async () => {
  const { page } = await openPage(browser, { colorScheme: 'dark' })
  await page.goto(`file://${html}`)
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  expect(await page.evaluate(BACKGROUND)).toBe(LIGHT)
  expect(await page.evaluate(`getComputedStyle(document.querySelector('.ladder text')).fill`)).toBe(INK)
  if (PICTURES) {
    await page.setViewportSize({ width: 794, height: 1123 })
    await page.screenshot({ path: join(PICTURES, 'print.png') })
    await page.locator('section.failed, #step-2\\.24\\.1').first().scrollIntoViewIfNeeded()
    await page.screenshot({ path: join(PICTURES, 'print-failed.png') })
  }
  const pdf = await page.pdf({ format: 'A4', ...(PICTURES && { path: join(PICTURES, 'report.pdf') }) })
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  const pages = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0
  expect(pages).toBeGreaterThan(3)
})
