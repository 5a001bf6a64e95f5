#!/usr/bin/env python3
"""A link that takes time, where the kernel has no netem: passes bytes on between clients and a worker, each so many milliseconds later.

Usage: delay_proxy.py LISTEN_PORT HOST:PORT MILLISECONDS      (each way)
"""
import asyncio
import sys


async def carry(reader, writer, seconds):
    """What comes is written `seconds` later, in its order; a pause on one side does not hold up what is under way."""
    loop = asyncio.get_running_loop()
    under_way = asyncio.Queue()

    async def deliver():
        while True:
            due, data = await under_way.get()
            await asyncio.sleep(max(0.0, due - loop.time()))
            if not data:
                writer.close()
                return
            writer.write(data)
            await writer.drain()

    task = asyncio.create_task(deliver())
    try:
        while True:
            data = await reader.read(1 << 16)
            under_way.put_nowait((loop.time() + seconds, data))
            if not data:
                break
        await task
    except (ConnectionError, asyncio.CancelledError):
        task.cancel()
        writer.close()


async def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    host, port = sys.argv[2].rsplit(":", 1)
    seconds = float(sys.argv[3]) / 1000

    async def serve(reader, writer):
        try:
            there = await asyncio.open_connection(host, int(port))
        except OSError:
            writer.close()
            return
        await asyncio.gather(carry(reader, there[1], seconds), carry(there[0], writer, seconds))

    server = await asyncio.start_server(serve, "127.0.0.1", int(sys.argv[1]))
    print("delays", sys.argv[3], "ms each way", flush=True)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        pass
