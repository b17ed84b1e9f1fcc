import { readdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { openDaemonLog } from '../../src/daemon/daemon-log.js'
import { LogOutput, type LogSink } from '../../src/daemon/log-output.js'
import { LogFile } from '../../src/daemon/log-sinks.js'
import { scratchFolders } from '../store/scratch-folder.js'
import { ManualClock } from '../support/manual-clock.js'

const pathOf = scratchFolders()

/** Until the lines that were gathered are written. */
async function written(): Promise<void> {
  clock.advance(1000)
  await new Promise((resolve) => setImmediate(resolve))
}

/** Takes so many bytes, then nothing until there is room again. */
class FullDisk implements LogSink {
  text = ''

  constructor(public room: number) {}

  async write(bytes: Buffer): Promise<number> {
    const taken = bytes.subarray(0, this.room)
    this.room -= taken.length
    this.text += taken.toString('latin1')
    return taken.length
  }
}

let clock: ManualClock
beforeEach(() => {
  clock = new ManualClock()
})

describe('Lines of a busy daemon', () => {
  test('are written together, those too that come while others are written', async () => {
    const writes: string[] = []
    let done = (): void => {}
    const sink: LogSink = {
      write: (bytes) => {
        writes.push(bytes.toString())
        return new Promise((resolve) => {
          done = () => resolve(bytes.length)
        })
      },
    }
    const log = new LogOutput(sink, clock)
    log.write('one\n')
    await new Promise((resolve) => setImmediate(resolve))
    log.write('two\n')
    await written()
    log.write('three\n')
    done()
    await new Promise((resolve) => setImmediate(resolve))
    log.write('four\n')
    await written()
    expect(writes).toEqual(['one\ntwo\n', 'three\nfour\n'])
  })
})

describe('A log that cannot be written', () => {
  test('loses the lines that do not fit, counts them, and continues at the start of a line when there is room', async () => {
    const disk = new FullDisk(9)
    const log = new LogOutput(disk, clock)
    for (const line of ['one\n', 'two\n', 'three\n', 'four\n']) log.write(line)
    await written()
    expect(disk.text).toBe('one\ntwo\nt')
    expect(log.dropped).toBe(2)
    disk.room = 1000
    log.write('five\n')
    await written()
    const [one, two, cut, notice, five] = disk.text.split('\n')
    expect([one, two, cut, five]).toEqual(['one', 'two', 't', 'five'])
    expect(JSON.parse(notice ?? '')).toEqual({
      level: 40,
      time: '2026-01-01T00:00:02.000Z',
      lines: 2,
      msg: 'log lines could not be written',
    })
    expect(log.dropped).toBe(2)
  })

  test('holds little in memory while a write hangs, and does not keep the process from ending', async () => {
    const log = new LogOutput({ write: () => new Promise<number>(() => {}) }, clock)
    for (let n = 0; n < 10_000; n++) log.write(`${'x'.repeat(99)}\n`)
    expect(log.dropped).toBe(10_000 - Math.floor((256 * 1024) / 100))
    const closed = log.flush()
    clock.advance(1000)
    await closed
  })
})

describe('A log file', () => {
  test('is put aside when it has grown, and so many files are kept and no more', async () => {
    const path = `${pathOf()}.log`
    const log = new LogOutput(await LogFile.open(path, 1000), clock)
    for (let n = 0; n < 1000; n++) {
      log.write(`${String(n).padStart(9, '0')}\n`)
      if (n % 10 === 9) await log.flush()
    }
    const files = readdirSync(dirname(path)).filter((name) => name.startsWith(basename(path)))
    expect(files.sort()).toEqual(['', '.1', '.2', '.3'].map((end) => `${basename(path)}${end}`))
    const kept = ['.3', '.2', '.1', ''].map((end) => readFileSync(`${path}${end}`, 'utf8')).join('')
    const lines = kept.split('\n').slice(0, -1).map(Number)
    expect(lines.at(-1)).toBe(999)
    expect(lines).toEqual(lines.map((_, at) => 1000 - lines.length + at))
    for (const file of files) expect(statSync(`${dirname(path)}/${file}`).size).toBeLessThanOrEqual(1000)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(log.dropped).toBe(0)
    await log.close()
  })

  test('that somebody has cut off or moved away is gone on with', async () => {
    const path = `${pathOf()}.log`
    const file = await LogFile.open(path, 1000)
    const line = Buffer.from(`${'x'.repeat(399)}\n`)
    await file.write(line)
    await file.write(line)
    truncateSync(path, 0)
    expect(await file.write(line)).toBe(400)
    expect(readFileSync(path).length).toBe(400)
    expect(statSync(`${path}.1`, { throwIfNoEntry: false })).toBeUndefined()
    await file.close()
  })

  test('steers no terminal where it is shown, and means the same', async () => {
    const path = `${pathOf()}.log`
    const { log, output } = await openDaemonLog(path, clock)
    const told = '/\u009b31m\u007f\u202e'
    log.info({ path: told }, 'request')
    await output.close()
    const line = readFileSync(path, 'utf8')
    expect(line).not.toMatch(/[\u007f-\u009f\u202e]/)
    expect(JSON.parse(line)).toMatchObject({ path: told })
  })

  test('says once what an error has from its cause', async () => {
    const path = `${pathOf()}.log`
    const { log, output } = await openDaemonLog(path, clock)
    const cause = new Error('the disk does not answer')
    for (const text of ['not written: the disk does not answer', 'not written'])
      log.error({ err: new Error(text, { cause }) }, 'failed')
    await output.close()
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).err)).toMatchObject(
      lines.map(() => ({
        type: 'Error',
        message: 'not written: the disk does not answer',
        stack: expect.stringContaining('caused by: Error: the disk does not answer'),
      })),
    )
  })

  test('says once what an error has from the cause of its cause', async () => {
    const path = `${pathOf()}.log`
    const { log, output } = await openDaemonLog(path, clock)
    const silent = new Error('it is silent', { cause: new Error('ETIMEDOUT') })
    const passed = new Error('it is silent', { cause: silent })
    const endless = new Error('round')
    endless.cause = new Error('and round', { cause: endless })
    for (const err of [new Error('not recorded', { cause: passed }), passed, endless])
      log.error({ err }, 'failed')
    await output.close()
    const messages = readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).err.message)
    expect(messages).toEqual([
      'not recorded: it is silent: ETIMEDOUT',
      'it is silent: ETIMEDOUT',
      expect.stringMatching(/^round: and round: /),
    ])
  })

  test('is no symbolic link', async () => {
    const path = `${pathOf()}.log`
    writeFileSync(`${path}.other`, '')
    symlinkSync(`${path}.other`, path)
    await expect(LogFile.open(path)).rejects.toThrow(/symbolic link/)
  })
})
