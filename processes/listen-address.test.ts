import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";
import { hostname } from "node:os";
import { afterEach, describe, expect, it } from "vitest";
import { addressElsewhere, addressHere, choosePort, isLoopback } from "./listen-address.ts";

let taken: Server | undefined;

async function takePort(): Promise<number> {
  taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  return (taken.address() as AddressInfo).port;
}

afterEach(() => {
  taken?.close();
  taken = undefined;
});

describe("the port", () => {
  it("is the wished one when it is free", async () => {
    const port = await takePort();
    taken?.close();
    expect(await choosePort("127.0.0.1", port, false)).toBe(port);
  });

  it("moves on from a taken one only when nobody asked for it", async () => {
    const port = await takePort();
    expect(await choosePort("127.0.0.1", port, true)).toBeGreaterThan(port);
    await expect(choosePort("127.0.0.1", port, false)).rejects.toThrow(
      `Port ${port} on 127.0.0.1 is in use by another program`,
    );
  });

  it("needs an address of this machine", async () => {
    await expect(choosePort("192.0.2.1", 0, true)).rejects.toThrow("has no address 192.0.2.1");
  });
});

describe("addresses", () => {
  it("name this machine for the wildcard, and bracket IPv6", () => {
    expect(addressHere("0.0.0.0", 4400)).toBe("http://127.0.0.1:4400");
    expect(addressHere("::1", 4400)).toBe("http://[::1]:4400");
    expect(addressElsewhere("0.0.0.0", 4400)).toBe(`http://${hostname()}:4400`);
    expect(addressElsewhere("192.0.2.1", 4400)).toBe("http://192.0.2.1:4400");
  });

  it("are loopback or not", () => {
    expect(["localhost", "127.0.0.1", "127.1.2.3", "::1"].every(isLoopback)).toBe(true);
    expect(["0.0.0.0", "::", "10.0.0.1", "127.evil.example"].some(isLoopback)).toBe(false);
  });
});
