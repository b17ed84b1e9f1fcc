import type { Page } from 'playwright-core'

/** Milliseconds of the longest task of the page while `act` runs; 0 when none took 50. */
export async function longestTask(page: Page, act: () => Promise<unknown>): Promise<number> {
  await page.evaluate(`globalThis.longest = 0
    globalThis.seen = (entries) => {
      for (const { duration } of entries) longest = Math.max(longest, duration)
    }
    globalThis.tasks = new PerformanceObserver((list) => seen(list.getEntries()))
    tasks.observe({ type: 'longtask' })`)
  await act()
  return page.evaluate<number>('seen(tasks.takeRecords()), tasks.disconnect(), longest')
}

/**
 * Milliseconds of 200 drawings with 30 paths each, made and laid out by hand in this page: the shortest of five. A busy
 * machine makes it as slow as the page, so that a task of the page is compared with it.
 */
export const lanesByHand = (page: Page): Promise<number> =>
  page.evaluate<number>(`(() => {
    const lane = (at) => '<svg viewBox="0 0 1000 20" width="600" height="20">' + Array.from({ length: 30 }, (_, step) =>
      '<path class="lane-' + at + '" d="M' + step * 30 + ' 0h28v18h-28z"><title>' + step + '</title></path>').join('') + '</svg>'
    const once = () => {
      const began = performance.now()
      const box = document.createElement('div')
      box.innerHTML = Array.from({ length: 200 }, (_, at) => lane(at)).join('')
      document.body.append(box)
      box.getBoundingClientRect()
      box.remove()
      return performance.now() - began
    }
    return Math.min(...Array.from({ length: 5 }, once))
  })()`)
