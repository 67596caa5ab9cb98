"""A mail server for one test. It listens on loopback, says on its output what it does, one line of JSON each, and
takes its orders from its input: accept, refuse, defer, stall, hold (take it, and never say so), die (the same, and go),
die-silent (go without having taken it). It ends when its input does."""

import argparse
import asyncio
import email
import email.policy
import json
import logging
import os
import queue
import ssl
import sys
import threading
import warnings

from aiosmtpd.smtp import SMTP, AuthResult

# A login without STARTTLS is meant here: the door is TLS from the first byte.
warnings.simplefilter("ignore")
logging.disable()

ORDER = "accept"


WORDS = queue.Queue()


def tell(event, **what):
    WORDS.put({"event": event, **what})


def speak():
    """In a thread of its own: who listens may be waiting for the door to go on."""
    while True:
        print(json.dumps(WORDS.get()), flush=True)
        WORDS.task_done()


def die():
    WORDS.join()
    os._exit(9)


def read(content):
    """The letter as a reader that shares nothing with its writer sees it."""
    letter = email.message_from_bytes(content, policy=email.policy.default)
    parts, files = {}, []
    for part in letter.walk():
        if part.is_multipart():
            continue
        if part.get_content_disposition() == "attachment":
            bytes_ = part.get_payload(decode=True)
            files.append({"name": part.get_filename(), "kind": part.get_content_type(), "text": bytes_.decode()})
        else:
            parts[part.get_content_type()] = part.get_content()
    headers = {name: str(value) for name, value in letter.items()}
    return {"headers": headers, "parts": parts, "files": files, "raw": content.decode("ascii")}


class Handler:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if ORDER == "refuse":
            tell("refused")
            return f"550 5.1.1 <{address}> is nobody here"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 fine"

    async def handle_DATA(self, server, session, envelope):
        order = ORDER
        if order == "defer":
            tell("deferred")
            return "451 4.7.1 come again later"
        if order == "stall":
            tell("stalled")
            await asyncio.sleep(3600)
        if order == "die-silent":
            die()
        login = session.auth_data.login.decode() if session.auth_data else None
        tell(
            "taken",
            sender=envelope.mail_from,
            to=envelope.rcpt_tos,
            tls=session.ssl is not None or server.transport.get_extra_info("ssl_object") is not None,
            login=login,
            **read(envelope.content),
        )
        if order == "hold":
            await asyncio.sleep(3600)
        if order == "die":
            die()
        return "250 2.0.0 taken"


def follow(orders):
    global ORDER
    for line in orders:
        ORDER = line.strip()
        tell("order", order=ORDER)
    os._exit(0)


async def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--port", type=int, default=0)
    arguments.add_argument("--certificate")
    arguments.add_argument("--key")
    arguments.add_argument("--door", choices=["plain", "starttls", "tls"], default="plain")
    arguments.add_argument("--user")
    arguments.add_argument("--password")
    given = arguments.parse_args()

    context = None
    if given.door != "plain":
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(given.certificate, given.key)

    def judge(server, session, envelope, mechanism, data):
        good = (data.login.decode(), data.password.decode()) == (given.user, given.password)
        return AuthResult(success=good, handled=False, auth_data=data if good else None)

    threading.Thread(target=speak, daemon=True).start()
    loop = asyncio.get_running_loop()

    def door():
        return SMTP(
            Handler(),
            hostname="mail.test",
            tls_context=context if given.door == "starttls" else None,
            require_starttls=given.door == "starttls",
            auth_required=given.user is not None,
            auth_require_tls=given.door == "starttls",
            authenticator=judge,
            loop=loop,
        )

    wrapped = context if given.door == "tls" else None
    server = await loop.create_server(door, "127.0.0.1", given.port, ssl=wrapped)
    threading.Thread(target=follow, args=(sys.stdin,), daemon=True).start()
    tell("ready", port=server.sockets[0].getsockname()[1])
    await server.serve_forever()


asyncio.run(main())
