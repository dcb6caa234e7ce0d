/** When credentials of a service ended, by their numbers. */
export class CredentialEnds {
  private readonly atUs = new Map<number, number>()

  ended(credential: number, atUs: number): void {
    this.atUs.set(credential, atUs)
  }

  /** From the instant of its end on a credential has ended. */
  hasEnded(credential: number, atUs: number): boolean {
    return atUs >= (this.atUs.get(credential) ?? Infinity)
  }
}
