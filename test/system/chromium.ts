import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

/** Debian's. */
const EXECUTABLE = '/usr/bin/chromium'
/** How long a page is waited for: on a machine that does other things as well it takes far longer than alone. */
const PATIENCE_MS = 90_000
/** A container has no namespaces for the sandbox. */
const ARGUMENTS = ['--no-sandbox', '--disable-dev-shm-usage']

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: EXECUTABLE, args: ARGUMENTS })

/** A desk and a phone, for `test.each`; `web-sizes.test.ts` has all pages at all sizes in both schemes. */
export const PLACES = [
  ['light', 1280, 720],
  ['dark', 390, 844],
] as const

/** A page of a browser without a past, and what went wrong on it. */
export interface WatchedPage {
  readonly page: Page
  /** Errors of scripts, and what the console says is one, such as a violation of the policy. */
  readonly errors: string[]
  /** The origins that were asked for anything. */
  readonly origins: Set<string>
}

export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const errors: string[] = []
  const origins = new Set<string>()
  page.on('pageerror', ({ message }) => errors.push(message))
  page.on('console', (message) => {
    // A request that fails is what some tests are about.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      errors.push(message.text())
  })
  page.on('request', (request) => origins.add(new URL(request.url()).origin))
  return { page, errors, origins }
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds on the page as it is: each rule with the elements that break it. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE)
  const found = (await page.evaluate(
    'axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html, failureSummary }) => html + " " + failureSummary) })))',
  )) as readonly { readonly id: string; readonly nodes: readonly string[] }[]
  return found.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).join(' | ')}`)
}

/** The page is told that the equipment was added in 2020: it shows no time before that. */
export async function withOldEquipment(page: Page): Promise<void> {
  await page.route(/\/api\/v1\/equipment(\?|$)/, async (route) => {
    const response = await route.fetch()
    const text = await response.text()
    const body = text.replace(/"created_at":"[^"]+"/g, '"created_at":"2020-01-01T00:00:00.000Z"')
    await route.fulfill({ response, body })
  })
}
