import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { until } from '../support/until.js'

const run = promisify(execFile)

/** A record as kcat shows it. */
export interface KafkaRecord {
  readonly partition: number
  readonly key: string | null
  readonly payload: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
}

/** The mock cluster of librdkafka, in a kcat that does nothing else. It makes topics of 4 partitions when they are asked for. */
export class KafkaMock {
  private constructor(
    private readonly child: ChildProcess,
    readonly brokers: string,
  ) {}

  static async start(brokers = 3): Promise<KafkaMock> {
    const settings = [
      '-X',
      `test.mock.num.brokers=${brokers}`,
      '-d',
      'mock',
      '-b',
      'localhost',
      '-t',
      'unused',
    ]
    const child = spawn('kcat', ['-P', ...settings], { stdio: ['pipe', 'ignore', 'pipe'] })
    const addresses = await new Promise<string>((resolve, reject) => {
      let said = ''
      child.once('error', reject)
      child.once('exit', (code) => reject(new Error(`kcat has ended with ${code}: ${said}`)))
      child.stderr.on('data', (bytes) => {
        said = `${said}${bytes}`.slice(-10_000)
        const found = /bootstrap\.servers=([0-9.:,]+)/.exec(said)?.[1]
        if (found) resolve(found)
      })
    })
    return new KafkaMock(child, addresses)
  }

  /** Resolves when it is stopped with all its threads, which takes a moment. */
  async pause(): Promise<void> {
    this.child.kill('SIGSTOP')
    await until(() => {
      const threads = readdirSync(`/proc/${this.child.pid}/task`)
      const state = (thread: string) => readFileSync(`/proc/${this.child.pid}/task/${thread}/stat`, 'latin1')
      try {
        return threads.every((thread) => / \(.*\) T /.test(state(thread)))
      } catch {
        return false // one has ended meanwhile
      }
    })
  }

  resume(): void {
    this.child.kill('SIGCONT')
  }

  end(): void {
    this.child.kill('SIGKILL')
  }

  /** Appends each line of a file as a record, as a foreign client does it. */
  async append(topic: string, path: string): Promise<void> {
    await run('kcat', ['-P', '-b', this.brokers, '-t', topic, '-X', 'acks=all', '-k', 'bare', '-l', path])
  }

  /** All records of a topic, by partition, as a foreign client reads them. */
  async records(topic: string): Promise<KafkaRecord[]> {
    const { stdout } = await run(
      'kcat',
      ['-C', '-b', this.brokers, '-t', topic, '-o', 'beginning', '-e', '-q', '-J', '-X', 'check.crcs=true'],
      { maxBuffer: 1 << 28 },
    )
    return stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  }

  /** The partition that librdkafka chooses for a key in the way of the Java client. */
  async partitionOf(topic: string, key: string): Promise<number | undefined> {
    const producing = run('kcat', [
      '-P',
      '-b',
      this.brokers,
      '-t',
      topic,
      '-k',
      key,
      '-X',
      'topic.partitioner=murmur2',
    ])
    producing.child.stdin?.end('x\n')
    await producing
    return (await this.records(topic)).find((record) => record.key === key)?.partition
  }
}
