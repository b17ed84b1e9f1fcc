import type { CarrierContents } from '../../gem300/carrier-attributes.js'
import type { BodyContent } from '../../gem300/messages/bodies.js'
import { sameWord } from '../../gem300/messages/body-part.js'
import { type PortAction, portActionOf } from '../../gem300/port-actions.js'
import type { Carrier } from './carrier.js'
import { contentsIn } from './carrier-attributes.js'
import type { LoadPort } from './load-port.js'
import type { CarrierUse, LoadPorts } from './load-ports.js'
import { ERRCODE, Refusal } from './refusal.js'
import type { ToolWorld } from './tool-world.js'

interface Asked {
  readonly id: string
  readonly port: LoadPort | undefined
  readonly contents: CarrierContents
}

/** What a host asks of carriers and load ports (S3F17, S3F25, S3F27). All methods throw `Refusal`. */
export class CarrierRequests {
  readonly #actions: Readonly<Record<string, (asked: Asked) => void>> = {
    ProceedWithCarrier: (asked) => this.#proceed(asked),
    CancelCarrier: (asked) => this.#cancel(asked),
    CancelCarrierAtPort: (asked) =>
      this.#cancel({ ...asked, id: asked.id || (asked.port?.carrier?.id ?? '') }),
    CarrierRelease: (asked) => this.#release(asked),
    CarrierNotification: ({ id, contents }) => {
      const carrier = this.ports.create(id)
      carrier.tell(contents)
      carrier.idStatus.take('announced')
    },
    CancelCarrierNotification: ({ id }) => {
      const carrier = this.#carrier(id)
      if (carrier.port !== undefined) throw new Refusal(ERRCODE.wrongState, `Carrier ${id} is at a port`)
      this.ports.end(carrier)
    },
    Bind: (asked) => this.#bind(asked),
    CancelBind: (asked) => this.#cancelBind(asked),
  }

  constructor(
    private readonly world: ToolWorld,
    private readonly ports: LoadPorts,
    private readonly use: CarrierUse,
  ) {}

  /** S3F17. */
  carrier({ CARRIERACTION, CARRIERID: id, PTN, ATTRIBUTES }: BodyContent<'S3F17'>): void {
    const known = Object.entries(this.#actions).find(([name]) => sameWord(name, CARRIERACTION))
    if (!known) throw new Refusal(ERRCODE.notSupported, `${CARRIERACTION} not supported`)
    const [, act] = known
    act({ id, port: PTN ? this.#port(PTN) : undefined, contents: contentsIn(ATTRIBUTES, this.world.view) })
  }

  /** S3F25. */
  port(asked: BodyContent<'S3F25'>): void {
    const action = portActionOf(asked)
    if (!action) {
      const isService = sameWord(asked.PORTACTION, 'ChangeServiceStatus')
      throw isService
        ? new Refusal(ERRCODE.parametersWrong, 'ServiceStatus missing')
        : new Refusal(ERRCODE.notSupported, `${asked.PORTACTION} not supported`)
    }
    this.#portAction(action, this.#port(asked.PTN ?? 0))
  }

  /** S3F27: the ports that could not, with why. */
  accessMode({ ACCESSMODE, PTN }: BodyContent<'S3F27'>) {
    if (ACCESSMODE !== 'MANUAL' && ACCESSMODE !== 'AUTO')
      throw new Refusal(ERRCODE.badValue, `ACCESSMODE ${ACCESSMODE}`)
    const wanted = PTN.length > 0 ? PTN : this.ports.ports.map(({ number }) => number)
    return wanted.flatMap((number) => {
      const port = this.ports.port(number)
      if (!port) return [{ PTN: number, ERRCODE: ERRCODE.noSuchPort, ERRTEXT: `PTN ${number} invalid` }]
      const trigger = ACCESSMODE === 'AUTO' ? 'to_auto' : 'to_manual'
      if (port.access.can(trigger)) port.access.take(trigger)
      return []
    })
  }

  #proceed({ id, port, contents }: Asked): void {
    if (port?.isUnknown) return this.#name(port, id, contents)
    const carrier = this.#carrierAt(id, port)
    const at = this.ports.portOf(carrier)
    if (carrier.idStatus.state === 'WAITING_FOR_HOST' && at) {
      carrier.tell(contents)
      carrier.idStatus.take('proceed')
      this.ports.dock(at, carrier)
      return
    }
    if (carrier.slotMapStatus.state !== 'WAITING_FOR_HOST' || at?.transfer.state !== 'TRANSFER_BLOCKED')
      throw new Refusal(ERRCODE.wrongState, `Carrier ${id} is not waiting for host`)
    const { slotMap } = contents
    if (slotMap?.some((slot, index) => slot !== carrier.slotMap?.[index]))
      throw new Refusal(ERRCODE.badValue, 'SlotMap does not match')
    this.ports.accept(carrier, contents)
  }

  /** The host says which carrier it is whose ID could not be read. */
  #name(port: LoadPort, id: string, contents: CarrierContents): void {
    const known = this.ports.carriers.get(id)
    if (known && known.port !== undefined)
      throw new Refusal(ERRCODE.idInUse, `Carrier ${id} is at port ${known.port}`)
    const carrier = known ?? this.ports.create(id)
    this.ports.attach(port, carrier)
    carrier.tell(contents)
    if (known) carrier.idStatus.take('read_failed')
    carrier.idStatus.take('proceed')
    this.ports.dock(port, carrier)
  }

  #cancel({ id, port, contents }: Asked): void {
    if (port?.isUnknown) {
      if (id !== '') {
        const carrier = this.ports.create(id)
        carrier.tell(contents)
        this.ports.attach(port, carrier)
        carrier.idStatus.take('cancel')
      }
      this.ports.release(port)
      return
    }
    const carrier = this.#carrierAt(id, port)
    const at = this.ports.portOf(carrier)
    if (!at) throw new Refusal(ERRCODE.wrongState, `Carrier ${id} is not at a port`)
    if (!at.transfer.can('released')) throw new Refusal(ERRCODE.wrongState, `Carrier ${id} already cancelled`)
    if (carrier.accessing.state !== 'NOT_ACCESSED' || this.use.inUse(carrier))
      throw new Refusal(ERRCODE.wrongState, `Carrier ${id} is already accessed`)
    if (carrier.idStatus.can('cancel')) carrier.idStatus.take('cancel')
    else if (carrier.slotMapStatus.can('cancel')) carrier.slotMapStatus.take('cancel')
    this.ports.release(at)
  }

  #release({ id, port }: Asked): void {
    const carrier = id === '' && port?.carrier ? port.carrier : this.#carrierAt(id, port)
    const at = this.ports.portOf(carrier)
    if (!at || !carrier.isDone || !at.transfer.can('released'))
      throw new Refusal(ERRCODE.wrongState, `Port ${carrier.port ?? '-'} is not ready to unload`)
    this.ports.release(at)
  }

  #bind({ id, port, contents }: Asked): void {
    if (!port) throw new Refusal(ERRCODE.noSuchPort, 'PTN missing')
    if (port.placed || port.carrier || port.transfer.state !== 'READY_TO_LOAD')
      throw new Refusal(ERRCODE.portInUse, `Port ${port.number} is busy`)
    const carrier = this.ports.create(id)
    carrier.tell(contents)
    this.ports.attach(port, carrier)
    if (port.reservation.can('reserved')) port.reservation.take('reserved')
    carrier.idStatus.take('announced')
  }

  #cancelBind({ id, port }: Asked): void {
    const carrier = id === '' && port?.carrier ? port.carrier : this.#carrierAt(id, port)
    const bound = carrier.port === undefined ? undefined : this.ports.port(carrier.port)
    if (!bound || bound.placed) throw new Refusal(ERRCODE.wrongState, `Carrier ${id} is not bound`)
    this.ports.end(carrier)
  }

  #portAction(action: PortAction, port: LoadPort): void {
    const { transfer, reservation, number } = port
    const busy = new Refusal(ERRCODE.busy, `Port ${number} is busy`)
    switch (action) {
      case 'in_service':
        if (port.isInService) throw new Refusal(ERRCODE.wrongState, `Port ${number} is in service`)
        return transfer.take('put_in_service', 'ready', port.placed ? 'occupied' : 'empty')
      case 'out_of_service':
        if (!port.isInService) throw new Refusal(ERRCODE.wrongState, `Port ${number} is out of service`)
        if (transfer.state === 'TRANSFER_BLOCKED') throw busy
        return transfer.take('put_out_of_service')
      case 'reserve':
        if (transfer.state !== 'READY_TO_LOAD' || !reservation.can('reserved')) throw busy
        return reservation.take('reserved')
      case 'cancel_reservation':
        if (!reservation.can('reservation_cancelled') || port.carrier)
          throw new Refusal(ERRCODE.wrongState, `Port ${number} has no reservation that can be cancelled`)
        return reservation.take('reservation_cancelled')
    }
  }

  #carrier(id: string): Carrier {
    const carrier = this.ports.carriers.get(id)
    if (carrier) return carrier
    throw new Refusal(ERRCODE.unknownObject, `Carrier ${id} not found`)
  }

  #carrierAt(id: string, port: LoadPort | undefined): Carrier {
    const carrier = this.#carrier(id)
    if (port && carrier.port !== port.number)
      throw new Refusal(ERRCODE.noCarrier, `Carrier ${id} is not at port ${port.number}`)
    return carrier
  }

  #port(number: number): LoadPort {
    const port = this.ports.port(number)
    if (port) return port
    throw new Refusal(ERRCODE.noSuchPort, `PTN ${number} invalid`)
  }
}
