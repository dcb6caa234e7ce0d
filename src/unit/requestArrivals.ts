import { Service, type SERVICE_NAMES } from './services.ts'

/** Which arrival each request comes of, until its row is written. Nothing that is played depends on it. */
export class RequestArrivals {
  private readonly ofRequest: readonly Map<number, number>[] = Object.keys(Service).map(() => new Map())

  note(service: (typeof SERVICE_NAMES)[number], request: number, arrival: number): void {
    this.ofRequest[Service[service]]!.set(request, arrival)
  }

  /** The arrival of a request, which is forgotten; NaN where none was noted. `service` is its number. */
  take(service: number, request: number): number {
    const arrivals = this.ofRequest[service]!
    const arrival = arrivals.get(request) ?? NaN
    arrivals.delete(request)
    return arrival
  }
}
