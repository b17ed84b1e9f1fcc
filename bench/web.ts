// What the page costs its browser, the network and the daemon: `npm run bench:web -- [--tools 60] [--rate 32]
// [--minutes 1] [--only load,open,alarms,events]`. Needs Debian's Chromium. The daemon, the fleet and the browser are
// processes of their own. Whether memory grows needs longer runs: `-- --tools 1000 --rate 200 --minutes 60 --only open`.
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { systemClock as clock, delay } from '../src/kit/clock.js'
import { until } from '../test/support/until.js'
import { WebSite } from '../test/system/web-site.js'
import { median } from './rate.js'
import { benchAlarms } from './web-alarms.js'
import { benchEvents } from './web-events.js'

const PARTS = ['load', 'open', 'alarms', 'events'] as const
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    tools: { type: 'string', default: '60' },
    rate: { type: 'string', default: '32' },
    /** Seconds of a look at the daemon without a page. */
    without: { type: 'string', default: '10' },
    /** Events a second on the page of events, and for how many seconds. */
    events: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '20' },
    only: { type: 'string', default: PARTS.join() },
  },
})
const [tools, minutes, without] = [Number(values.tools), Number(values.minutes), Number(values.without)]
/** Clock ticks of the kernel in a second. */
const TICKS = 100
const PAINTS = 5
/** In this time a wall has read what it reads after its tiles. */
const AFTER_TILES_MS = 2000
const MIB = 2 ** 20
/** What fills once, such as the bars of a tile, is full. */
const FILL_MS = 10_000

interface Renderers {
  readonly processInfo: readonly { readonly type: string; readonly id: number; readonly cpuTime: number }[]
}

const site = await WebSite.start({ tools, rate: Number(values.rate) })
try {
  const { key } = await site.call<{ key: string }>('POST', '/keys', {
    ...{ name: 'bench', role: 'viewer', expires_at: null },
  })
  console.log(`${tools} tools communicate, load ${loadavg()[0]?.toFixed(1)}`)
  const parts = {
    load: () => benchLoad(key),
    open: () => benchOpen(key),
    alarms: () => benchAlarms(site, key),
    events: () => benchEvents(site, key, Number(values.events), Number(values.seconds)),
  }
  for (const part of values.only.split(',')) {
    const run = parts[part as keyof typeof parts]
    if (!run) throw new Error(`there is no part "${part}", but ${PARTS.join(', ')}`)
    await run()
  }
} finally {
  await site.close()
}

/** Opens the wall in a browser without a past. */
async function openWall(key: string, before: (page: Page) => Promise<unknown> = async () => undefined) {
  const context = await site.browser.newContext({ viewport: { width: 1920, height: 1080 } })
  const page = await context.newPage()
  await before(page)
  await page.goto(`${site.url}/#key=${key}`)
  await until(async () => (await page.locator('.tile').count()) === tools, 60_000)
  return { context, page }
}

/** The time until the wall is there, and the bytes that this takes. */
async function benchLoad(key: string): Promise<void> {
  const [paints, loads, bytes]: [number[], number[], number[]] = [[], [], []]
  for (let at = 0; at < PAINTS; at++) {
    let received = 0
    let stream = ''
    const began = clock.now()
    const { context, page } = await openWall(key, async (page) => {
      const network = await page.context().newCDPSession(page)
      network.on('Network.requestWillBeSent', ({ requestId, request }) => {
        if (request.url.includes('/events/stream')) stream = requestId
      })
      network.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
        if (requestId !== stream) received += encodedDataLength
      })
      await network.send('Network.enable')
    })
    loads.push(clock.now() - began)
    await page.waitForLoadState('load')
    await delay(clock, AFTER_TILES_MS)
    bytes.push(received / 1000)
    paints.push(
      (await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")) as number,
    )
    await context.close()
  }
  const all = (figures: readonly number[]): string =>
    `${Math.round(median(figures))} (${figures.map(Math.round).join(', ')})`
  console.log(`first paint, ms           ${all(paints)}`)
  console.log(`all tiles, ms             ${all(loads)}`)
  console.log(
    `received, kB              ${all(bytes)}, compressed, without events; the aim for 60 tools is 100`,
  )
}

/** What a wall costs that stays open. */
async function benchOpen(key: string): Promise<void> {
  const before = await share(() => delay(clock, without * 1000))
  const { context, page } = await openWall(key)
  await delay(clock, FILL_MS)
  const system = await site.browser.newBrowserCDPSession()
  const inside = await context.newCDPSession(page)
  /** Seconds of a processor: of the page's process, and of all of the browser. */
  const browserTime = async (): Promise<readonly [page: number, all: number]> => {
    const { processInfo } = (await system.send('SystemInfo.getProcessInfo')) as Renderers
    const sum = (rows: Renderers['processInfo']) => rows.reduce((total, { cpuTime }) => total + cpuTime, 0)
    return [sum(processInfo.filter(({ type }) => type === 'renderer')), sum(processInfo)]
  }
  /** Bytes of scripts after a collection. */
  const heap = async (): Promise<number> => {
    await inside.send('HeapProfiler.collectGarbage')
    const { usedSize } = await inside.send('Runtime.getHeapUsage')
    return usedSize / MIB
  }
  const heaps = [await heap()]
  const [own, all] = await browserTime()
  const first = await newest()
  const began = clock.now()
  const during = await share(async () => {
    for (let minute = 0; minute < minutes; minute++) {
      await delay(clock, 60_000)
      heaps.push(await heap())
      if (minutes > 1)
        console.log(
          `heap after ${minute + 1} min: ${heaps.at(-1)?.toFixed(2)} MiB, load ${loadavg()[0]?.toFixed(1)}`,
        )
    }
  })
  const seconds = (clock.now() - began) / 1000
  const [ownAfter, allAfter] = await browserTime()
  const events = ((await newest()) - first) / seconds
  const isLive = await page.locator('.phase-live').count()
  await context.close()
  const after = await share(() => delay(clock, without * 1000))

  console.log(
    `open wall                 ${events.toFixed(0)} events/s for ${minutes} min, load ${loadavg()[0]?.toFixed(1)}${isLive ? '' : ', NOT LIVE AT THE END'}`,
  )
  console.log(`process of the page       ${percent((ownAfter - own) / seconds)} of a core`)
  console.log(`all of the browser        ${percent((allAfter - all) / seconds)} of a core`)
  console.log(`daemon with the page      ${percent(during)} of a core`)
  console.log(`daemon without, then      ${percent(before)}, ${percent(after)}`)
  console.log(`JS heap                   ${heaps.map((one) => one.toFixed(2)).join(' ')} MiB`)
}

/** Part of a core that the daemon takes meanwhile. */
async function share(meanwhile: () => Promise<unknown>): Promise<number> {
  const processor = (): number => {
    const fields = readFileSync(`/proc/${site.daemonId}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) / TICKS
  }
  const [began, taken] = [clock.now(), processor()]
  await meanwhile()
  return (processor() - taken) / ((clock.now() - began) / 1000)
}

/** The number of the newest event: numbers rise by one. */
async function newest(): Promise<number> {
  const { items } = await site.list<{ id: string }>('/events?limit=1')
  return Number(items[0]?.id)
}

function percent(part: number): string {
  return `${(part * 100).toFixed(1)} %`
}
