import { connect, createServer, type Server, type Socket } from 'node:net'
import type { Endpoints } from '../../hsms/capture/wire.js'
import { LENGTH_BYTES } from '../../hsms/frame/frame.js'
import { readHeader, STYPE } from '../../hsms/frame/header.js'
import { dialFault } from '../../hsms/tcp/dial-fault.js'
import { oneSpelling } from '../../hsms/tcp/internet-address.js'
import { listenError } from '../../hsms/tcp/listener.js'
import type { Cancel, Clock } from '../../kit/clock.js'
import { deferred } from '../../kit/deferred.js'
import { HEAD_BYTES } from '../passing.js'
import { otherSide, type PairEnd, type Side } from '../side.js'
import type { TapSettings } from '../tap-settings.js'
import { type PairEvents, TappedPair } from './tapped-pair.js'

/** Milliseconds that a dial may take. */
const DIAL_MS = 10_000
/** Milliseconds that a second caller may take to show by Select.req that it is the host, which has started again. */
const SECOND_MS = 5_000

export interface TapEvents extends Omit<PairEvents, 'over'> {
  /** Both sides are connected. */
  paired(endpoints: Readonly<Record<Side, Endpoints>>): void
  /** `isReplaced`: the pair was ended for another connection of its host. */
  over(first: Side, how: PairEnd, isReplaced: boolean): void
  /** The other side could not be dialled; the caller was broken off. */
  notDialled(detail: string): void
  /** A connection was closed: its address may not call, or the pair is in use. */
  refused(address: string, why: 'stranger' | 'in_use'): void
}

/** A port at which one side of a link calls, and the other side that is dialled for it. One pair at a time. */
export class Tap {
  readonly #server: Server
  #pair: TappedPair | undefined
  /** The pair that was ended for another connection of its host. */
  #replaced: TappedPair | undefined
  /** A caller for whom the other side is dialled. */
  #dialling: Socket | undefined
  #dialled: Socket | undefined
  /** Callers that wait while a pair is there, or for the pause after it. */
  #next: Socket | undefined
  /** Ends looking at what the one that waits sends. */
  #endLook: Cancel = () => {}
  #quietUntil = 0
  /** Where it listens. */
  #port: number | undefined
  #cancel: Cancel = () => {}
  #isClosed = false
  /** Resolves when it is stopped and no pair is left. */
  readonly #ended = deferred<void>()

  constructor(
    readonly settings: TapSettings,
    private readonly clock: Clock,
    private readonly events: TapEvents,
    /** Where taps of this process listen: what one sends to another might come back to it without end. */
    private readonly ports: Set<number> = new Set(),
  ) {
    this.#server = createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true }, (socket) =>
      this.#called(socket),
    )
  }

  /** Listens. Gives the port; throws `ListenError`. */
  async start(): Promise<number> {
    const { host, port } = this.settings.listen
    const bound = deferred<void>()
    // Later ones are about a connection that could not be accepted, such as too many open files: its caller tries again.
    this.#server.on('error', (error) => bound.reject(listenError(host, port, error)))
    this.#server.listen(port, host, () => bound.resolve())
    await bound.promise
    // One that was killed may have had a connection to the equipment a moment ago.
    this.#quietUntil = this.clock.now() + this.settings.pause
    this.#port = (this.#server.address() as { readonly port: number }).port
    this.ports.add(this.#port)
    return this.#port
  }

  get line(): TappedPair['line'] | undefined {
    return this.#pair?.line
  }

  /** Ends the pair, and listens no more. Resolves once both connections have ended, which takes 10 s at most. */
  stop(): Promise<void> {
    this.#isClosed = true
    this.#cancel()
    this.#endLook()
    this.#server.close()
    if (this.#port !== undefined) this.ports.delete(this.#port)
    for (const socket of [this.#dialling, this.#dialled, this.#next]) socket?.destroy()
    if (this.#pair) this.#pair.close()
    else this.#ended.resolve()
    return this.#ended.promise
  }

  #called(socket: Socket): void {
    socket.on('error', () => {}) // whoever looks after it hears of it by 'close'
    const address = oneSpelling(socket.remoteAddress ?? '?')
    const { callerAddress } = this.settings
    if (callerAddress !== undefined && address !== oneSpelling(callerAddress)) {
      this.events.refused(address, 'stranger')
      return void socket.destroy()
    }
    if (this.#next || this.#dialling) return this.#refuse(socket)
    if (!this.#pair) return this.#takeNext(socket)
    this.#next = socket
    this.#endLook = this.#untilSelect(socket, (isSelect) => {
      if (this.#next !== socket) return
      if (isSelect) return this.#pair ? this.#replace(this.#pair) : this.#begin()
      this.#next = undefined
      this.#refuse(socket)
    })
  }

  #replace(pair: TappedPair): void {
    this.#replaced = pair
    pair.close()
  }

  #refuse(socket: Socket): void {
    this.events.refused(oneSpelling(socket.remoteAddress ?? '?'), 'in_use')
    socket.destroy()
  }

  /**
   * Whether a caller sends Select.req within the time; what it sent is read again by whoever takes it. Gives what ends
   * looking at it: `then` is not called any more.
   */
  #untilSelect(socket: Socket, then: (isSelect: boolean) => void): Cancel {
    const leave = (): void => {
      cancel()
      socket.off('readable', look)
      socket.off('end', closed)
      socket.off('close', closed)
    }
    const end = (isSelect: boolean): void => {
      leave()
      then(isSelect)
    }
    const closed = (): void => end(false)
    const look = (): void => {
      const bytes = socket.read(HEAD_BYTES) as Buffer | null
      if (bytes === null) return
      socket.unshift(bytes)
      end(bytes.length >= HEAD_BYTES && readHeader(bytes, LENGTH_BYTES).sType === STYPE.selectReq)
    }
    const cancel = this.clock.at(this.clock.now() + SECOND_MS, closed)
    socket.on('close', closed)
    socket.on('end', closed)
    socket.on('readable', look)
    return leave
  }

  #takeNext(socket: Socket): void {
    this.#next = socket
    socket.once('close', () => {
      if (this.#next === socket) this.#next = undefined
    })
    this.#begin()
  }

  /** Dials for the caller that waits, after the pause. */
  #begin(): void {
    const { clock } = this
    this.#cancel()
    this.#cancel = clock.at(Math.max(clock.now(), this.#quietUntil), () => {
      const caller = this.#next
      this.#next = undefined
      this.#endLook() // or its bytes would come twice: once where they are looked at
      if (!caller || caller.destroyed || this.#isClosed) return
      this.#dial(caller)
    })
  }

  #dial(caller: Socket): void {
    const { host, port } = this.settings.dial
    const socket = connect({ host, port, noDelay: true, allowHalfOpen: true })
    socket.pause()
    this.#dialling = caller
    this.#dialled = socket
    const failed = (detail: string): void => {
      if (this.#dialled !== socket) return
      this.#forgetDial()
      socket.destroy()
      caller.resetAndDestroy()
      if (!this.#isClosed) this.events.notDialled(detail)
    }
    const cancel = this.clock.at(this.clock.now() + DIAL_MS, () =>
      failed(`${host}:${port} did not respond within ${DIAL_MS / 1000} s`),
    )
    socket.once('error', (error) => failed(dialFault(error, host, port).detail))
    socket.once('close', cancel)
    caller.once('close', () => {
      if (this.#dialled === socket) failed('the caller hung up')
    })
    socket.once('connect', () => {
      cancel()
      if (this.#dialled !== socket) return
      if (this.ports.has(port) && isOfThisMachine(socket))
        return failed(`${host}:${port} is the port of a tap of this gateway: no tap dials another one`)
      this.#forgetDial()
      socket.removeAllListeners('error')
      const { caller: side } = this.settings
      this.#joined({ [side]: caller, [otherSide(side)]: socket } as Record<Side, Socket>)
    })
  }

  #forgetDial(): void {
    this.#dialling = undefined
    this.#dialled = undefined
  }

  #joined(sockets: Readonly<Record<Side, Socket>>): void {
    const pair = new TappedPair(sockets, this.clock, {
      ...this.events,
      over: (first, how) => {
        this.#pair = undefined
        this.#quietUntil = this.clock.now() + this.settings.pause
        this.events.over(first, how, this.#replaced === pair)
        if (this.#isClosed) this.#ended.resolve()
        else if (this.#next) this.#begin()
      },
    })
    this.#pair = pair
    this.events.paired(pair.endpoints)
  }
}

/** Whether both ends of a connection are on this machine. */
const isOfThisMachine = ({ localAddress = '', remoteAddress = '' }: Socket): boolean =>
  localAddress === remoteAddress || [localAddress, remoteAddress].every((one) => one.startsWith('127.'))
