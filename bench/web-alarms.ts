// Which alarms an open page asks for: a part of bench/web.ts.
import { systemClock as clock, delay } from '../src/kit/clock.js'
import { until } from '../test/support/until.js'
import type { WebSite } from '../test/system/web-site.js'

/** Longer than the page leaves anything unread that it reads again and again. */
const OPEN_MS = 35_000
/** Tools whose alarms are set; those of the first half are over before a page is opened. */
const SET = 10

interface Listed {
  readonly id: string
  readonly active: boolean
  readonly acknowledged: boolean
}

/** Lists of alarms that the wall, the page of alarms and that of an equipment ask for, beside those that are open. */
export async function benchAlarms(site: WebSite, key: string): Promise<void> {
  const open = await makeAlarms(site)
  const {
    items: [tool],
  } = await site.list<{ id: string }>('/equipment?limit=1')
  await Promise.all(
    ['/', '/alarms', `/equipment/${tool?.id}`].map(async (path) => {
      const context = await site.browser.newContext({ viewport: { width: 1280, height: 720 } })
      const page = await context.newPage()
      const asked: { readonly query: string; readonly alarms: readonly Listed[] }[] = []
      page.on('response', async (response) => {
        const { pathname, search } = new URL(response.url())
        if (pathname !== '/api/v1/alarms') return
        const { items } = (await response.json()) as { readonly items: readonly Listed[] }
        asked.push({ query: decodeURIComponent(search), alarms: items })
      })
      await page.goto(`${site.url}${path}#key=${key}`)
      await page.locator('.phase-live').waitFor()
      await delay(clock, OPEN_MS)
      await context.close()
      console.log(
        `GET /alarms of ${path.padEnd(10)} ${asked.length} in ${OPEN_MS / 1000} s, ${open} alarms are open`,
      )
      for (const { query, alarms } of asked) {
        const closed = alarms.filter(({ active, acknowledged }) => !active && acknowledged).length
        console.log(`  ${query}: ${alarms.length} alarms, ${closed} of them not open`)
      }
    }),
  )
}

/** Sets alarms of several tools, and ends half of them. The number of open ones. */
async function makeAlarms(site: WebSite): Promise<number> {
  const tools = Array.from({ length: SET }, (_, at) => `etcher-${String(at + 1).padStart(3, '0')}`)
  const listed = async (query: string): Promise<readonly Listed[]> =>
    (await site.list<Listed>(`/alarms?limit=1000&${query}`)).items
  await site.tell(...tools.map((name) => `${name} alarm 4001 set`))
  await until(async () => (await listed('active=true')).length >= SET)
  await site.tell(...tools.slice(0, SET / 2).map((name) => `${name} alarm 4001 clear`))
  const over = await until(async () => {
    const found = await listed('active=false&acknowledged=false')
    return found.length >= SET / 2 && found
  })
  await site.call('POST', '/alarms/acknowledge', { ids: over.map(({ id }) => id) })
  return (await listed('active=true')).length + (await listed('active=false&acknowledged=false')).length
}
