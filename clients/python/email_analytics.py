"""A client of the API of email-analytics: pages, downloads and changes.

One file, for Python 3.9 or later, with the standard library alone. Copy it next to your script.
"""

import email.utils
import http.client
import io
import json
import os
import re
import shutil
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
import zlib
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, timezone
from typing import Any, NamedTuple, Optional, TypedDict, Union, get_args, get_type_hints

__all__ = ["ChangesPage", "Download", "Email", "EmailAnalytics", "EmailAnalyticsError", "FeedRecord", "Tag"]

_EMAILS = "/data_api/v1/emails"
_PER_PAGE = 100  # The most that a page may have.
_MAX_ATTEMPTS = 5  # With the waits between them, 15 seconds.
_FIRST_RETRY = 1.0
_TIMEOUT = 120.0  # Seconds without a byte.
_PIECE = 64 * 1024
_QUOTED = 200
# How each file ends. A proxy of HTTP/1.0 may just close the connection when the service cut a download.
_ENDS = {"csv": rb"\r\n\Z", "ndjson": rb"\A\Z|\n\Z", "parquet": rb"PAR1\Z"}
_ANY_END = rb""
_GONE_HINT = " Start again with a download and an empty copy, and go on from its cursor."


# <!-- generated: python types -->

class Tag(TypedDict):
    """A tag of a campaign."""

    name: str
    # `#RRGGBB`
    color: str


class Email(TypedDict):
    """A campaign of `emails()`: no field is null, so a 0 or an empty text may mean that nothing is known."""

    id: int
    subject: str
    # On the organization's clocks.
    sent_at: datetime
    sent_from: str
    organization_team: str
    sending_type: str
    tracking_type: str
    open_rate: float
    click_rate: float
    unique_opens: int
    multiple_opens: int
    unopened: int
    total_opens: int
    unique_clicks: int
    multiple_clicks: int
    total_clicks: int
    click_per_unique_open_rate: float
    desktop_open_rate: float
    mobile_open_rate: float
    tags: list[Tag]
    recipient_count: int
    recipients: str
    read_time_glanced: float
    read_time_skimmed: float
    read_time_read: float
    surveys_count: int
    enps_score_average: float
    enps_reactions_count: int
    enps_comments_count: int
    survey_reactions_count: int
    survey_reactions_comments_count: int


class FeedRecord(TypedDict):
    """A campaign of `download()` and `changes()`: typed, and None where nothing is known. Instants are in UTC."""

    # Campaign identifier, unique within the organization.
    id: int
    # Campaign subject.
    subject: str
    # When the campaign was sent.
    sent_at: datetime
    # Sender address. Null: Not given, or empty.
    sent_from: Optional[str]
    # Team name. Null: Not given, or empty.
    organization_team: Optional[str]
    # How it was sent. Observed values: Timezone, Scheduled, Immediate. Null: Not given, or empty.
    sending_type: Optional[str]
    # What was tracked. Observed values: Individual, Anonymous, Overall. Null: Not given, or empty.
    tracking_type: Optional[str]
    # Share of recipients who opened the campaign. Null: No recipients, or the import has no value.
    open_rate: Optional[float]
    # Share of recipients who clicked a link. Null: No recipients, or the import has no value.
    click_rate: Optional[float]
    # Recipients with at least one open. Null: The import has no value.
    unique_opens: Optional[int]
    # Opens beyond each recipient's first. Null: The import has no value.
    multiple_opens: Optional[int]
    # Recipients without an open. Null: The import has no value.
    unopened: Optional[int]
    # All opens. Null: The import has no value.
    total_opens: Optional[int]
    # Recipients with at least one click. Null: The import has no value.
    unique_clicks: Optional[int]
    # Clicks beyond each recipient's first. Null: The import has no value.
    multiple_clicks: Optional[int]
    # All clicks. Null: The import has no value.
    total_clicks: Optional[int]
    # Click-to-open rate: the share of recipients with an open who clicked a link. Null: No unique opens, or the import has no value.
    click_per_unique_open_rate: Optional[float]
    # Share of opens on desktop devices. Null: No open with a known device, or the import has no value.
    desktop_open_rate: Optional[float]
    # Share of opens on mobile devices. Null: No open with a known device, or the import has no value.
    mobile_open_rate: Optional[float]
    # Tags of the campaign, by name. May be empty.
    tags: list[Tag]
    # Number of recipients. Null: The import has no value.
    recipient_count: Optional[int]
    # Comma-separated list of recipient group names. Null: Not given, or empty.
    recipients: Optional[str]
    # Share of reads up to 3 seconds. Null: No measured read, or the import has no value.
    read_time_glanced: Optional[float]
    # Share of reads over 3 and up to 9 seconds. Null: No measured read, or the import has no value.
    read_time_skimmed: Optional[float]
    # Share of reads over 9 seconds. Null: No measured read, or the import has no value.
    read_time_read: Optional[float]
    # Surveys in the campaign. Null: The import has no value.
    surveys_count: Optional[int]
    # Mean eNPS score (employee Net Promoter Score, an answer from 0 to 10). Null: No eNPS ratings, or the import has no value.
    enps_score_average: Optional[float]
    # eNPS scores. Null: The import has no value.
    enps_reactions_count: Optional[int]
    # eNPS scores with a comment. Null: The import has no value.
    enps_comments_count: Optional[int]
    # Answers to other surveys. Null: The import has no value.
    survey_reactions_count: Optional[int]
    # Answers to other surveys with a comment. Null: The import has no value.
    survey_reactions_comments_count: Optional[int]
    # The date on which the campaign was sent, in the organization's time zone.
    sent_on: date
    # The hour in which the campaign was sent, 0 to 23, in the organization's time zone.
    sent_hour: int
    # The names of the tags, joined by semicolons, for tools without lists.
    tag_names: str
    # Where the numbers come from: reported (an import) or counted (events).
    kind: str
    # When the campaign was closed: since then, its numbers are final. Null: Not closed. Reported campaigns never are.
    closed_at: Optional[datetime]
    # When the record last changed.
    updated_at: datetime

# <!-- end -->


class ChangesPage(NamedTuple):
    """Changes: replace each campaign by its id, or delete it if its `deleted` is true."""

    emails: list[dict[str, Any]]
    # Store it with the copy, in the same transaction: the next changes follow from it.
    cursor: str


class EmailAnalyticsError(Exception):
    """What a request may end with.

    code: of the service, such as `unauthorized`; or `connection_failed`, `cut`, `list_changed`, `redirected`,
        `unexpected_response`
    status: the HTTP status; None if there was no response
    request_id: identifies the request in the log of the service
    retry_after: the seconds after which the service accepts requests again
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: Optional[int] = None,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
    ):
        super().__init__(message if request_id is None else f"{message} (request {request_id})")
        self.code = code
        self.status = status
        self.request_id = request_id
        self.retry_after = retry_after


Time = Union[date, datetime, str]


class EmailAnalytics:
    """The three verbs: `emails()`, `changes()` and `download()`."""

    def __init__(self, address: str, key: str, *, allow_http: bool = False, max_wait: float = 120.0):
        """
        address: the base URL of the service, such as https://analytics.example.com
        key: an API key with the scope `read`
        allow_http: allows http, in a network that you trust; this computer is always allowed
        max_wait: the longest Retry-After in seconds that is waited for; a longer one is an error
        """
        if "@" in address:  # A message must not quote a password.
            raise ValueError("address: leave out the user name and the password; the key is sent instead")
        url = urllib.parse.urlsplit(address)
        if url.scheme not in ("http", "https") or not url.hostname:
            raise ValueError(f"address: {address!r} is no URL such as https://analytics.example.com")
        is_local = re.fullmatch(r"localhost|127\.\d+\.\d+\.\d+|::1", url.hostname)
        if url.scheme != "https" and not is_local and not allow_http:
            raise ValueError(
                f"address: {address!r} is not https; allow_http allows it in a network that you trust"
            )
        if not re.fullmatch(r"[\x21-\x7e]+", key):  # A message must not quote a key.
            raise ValueError("key: it is empty, or has characters that no key has")
        self._base = address.rstrip("/").removesuffix(_EMAILS).rstrip("/")
        self._host = url.netloc
        self._key = key
        self._max_wait = max_wait
        self._has_answered = False
        self._opener = urllib.request.build_opener(_NoRedirects)

    def emails(
        self,
        sent_after: Optional[Time] = None,
        sent_before: Optional[Time] = None,
        tag_ids: Optional[Sequence[int]] = None,
    ) -> Iterator[Email]:
        """The campaigns as the emails endpoint has them, newest first, page by page.

        Without `sent_before`, they end at the time of the call, because a campaign that is sent meanwhile would
        move the records of later pages.
        """
        until = datetime.now(timezone.utc) if sent_before is None else sent_before
        query = _query(sent_after, until, tag_ids)
        total, page, pages = None, 1, 1
        while page <= pages:
            body = self._get_json(_EMAILS, {**query, "page": page, "per_page": _PER_PAGE})
            meta = body["meta"]
            if total not in (None, meta["total_entries"]):
                raise EmailAnalyticsError(
                    "list_changed", "Campaigns were deleted or added between two pages. Start again."
                )
            for each in body["emails"]:
                each["sent_at"] = _parse_sent_at(each["sent_at"])
                yield each
            total, pages, page = meta["total_entries"], meta["total_pages"], page + 1

    def changes(self, cursor: Optional[str] = None) -> Iterator[ChangesPage]:
        """What reads differently since a cursor, page by page; without a cursor, everything.

        Raises EmailAnalyticsError `gone` if the cursor is no longer valid: start again with a download.
        """
        has_more = True
        while has_more:
            body = self._get_json(_EMAILS + "/changes", {} if cursor is None else {"cursor": cursor})
            cursor, has_more = body["meta"]["cursor"], body["meta"]["has_more"]
            yield ChangesPage([_typed(each) for each in body["emails"]], cursor)

    def download(
        self,
        format: str,
        sent_after: Optional[Time] = None,
        sent_before: Optional[Time] = None,
        tag_ids: Optional[Sequence[int]] = None,
    ) -> "Download":
        """All campaigns as they are at one moment, in one response, newest first. `format` is parquet, ndjson or csv."""
        if format not in _ENDS:
            raise ValueError(f"format: {format!r} is not one of {', '.join(_ENDS)}")
        query = _query(sent_after, sent_before, tag_ids)
        return Download(self._retry(lambda: self._open(f"{_EMAILS}.{format}", query)), format)

    def _get_json(self, path: str, query: dict[str, Any]) -> Any:
        return self._retry(lambda: self._parse(self._open(path, query)))

    def _retry(self, send: Callable[[], Any]) -> Any:
        attempt = 1
        while True:
            try:
                return send()
            except EmailAnalyticsError as error:
                wait = _FIRST_RETRY * 2 ** (attempt - 1) if error.retry_after is None else error.retry_after
                if not self._is_temporary(error) or attempt == _MAX_ATTEMPTS or wait > self._max_wait:
                    raise
            time.sleep(wait)
            attempt += 1

    def _is_temporary(self, error: EmailAnalyticsError) -> bool:
        if error.code == "connection_failed":
            return self._has_answered  # A host that never answered is probably misspelled.
        return error.code == "cut" or error.status in (408, 429) or (error.status or 0) >= 500

    def _open(self, path: str, query: dict[str, Any]) -> http.client.HTTPResponse:
        headers = {"Authorization": f"Bearer {self._key}", "User-Agent": "email-analytics-python"}
        if not path.endswith(".parquet"):  # It is compressed already.
            headers["Accept-Encoding"] = "gzip"
        url = f"{self._base}{path}?{urllib.parse.urlencode(query)}"
        try:
            response = self._opener.open(urllib.request.Request(url, headers=headers), timeout=_TIMEOUT)
            self._has_answered = True
        except urllib.error.HTTPError as error:
            self._has_answered = True
            with error:
                raise self._failure(error) from None
        except (OSError, http.client.HTTPException) as error:
            reason = error.reason if isinstance(error, urllib.error.URLError) else error
            raise EmailAnalyticsError(
                "connection_failed", f"The request to {self._host} failed: {reason}."
            ) from error
        if response.status != 200:
            with response:
                raise self._failure(response)
        return response

    def _parse(self, response: http.client.HTTPResponse) -> Any:
        with io.BufferedReader(_Body(response, _ANY_END)) as body:
            text = body.read().decode("utf-8", "replace")
        body = _parse_json(text)
        if "emails" not in body or "meta" not in body:
            raise EmailAnalyticsError(
                "unexpected_response",
                f"{self._host} answered with text that is not a page of the API: {self._quote(text)}. "
                "Is address the base URL of the service?",
                **_details(response),
            )
        return body

    def _failure(self, response: Any) -> EmailAnalyticsError:
        status, details = response.status, _details(response)
        location = response.headers.get("location")
        if 300 <= status < 400:
            return EmailAnalyticsError(
                "redirected",
                f"{self._host} redirects to {'another URL' if location is None else self._quote(location)}. "
                "The key is not sent there; if it is the same service, use it as address.",
                **details,
            )
        try:
            text = io.BufferedReader(_Body(response, _ANY_END)).read().decode("utf-8", "replace")
        except EmailAnalyticsError:
            text = ""
        body = _parse_json(text)
        code, message = body.get("error"), body.get("error_message")
        if not isinstance(code, str) or not isinstance(message, str):
            return EmailAnalyticsError(
                "unexpected_response",
                f"{self._host} answered with status {status} and text that is not an error of the API: "
                f"{self._quote(text)}. A proxy may have sent it.",
                **details,
            )
        hint = _GONE_HINT if code == "gone" else ""
        return EmailAnalyticsError(
            code,
            f"{self._host} answered with status {status}, {code}: {self._without_key(message)}{hint}",
            **details,
        )

    def _quote(self, text: str) -> str:
        return json.dumps(self._without_key(text)[:_QUOTED], ensure_ascii=False)

    def _without_key(self, text: str) -> str:
        return text.replace(self._key, "<API_KEY>")  # A response may repeat the headers of the request.


class Download(io.BufferedReader):
    """A file to read from. Reading raises EmailAnalyticsError `cut` if the file is not whole."""

    def __init__(self, response: http.client.HTTPResponse, format: str):
        super().__init__(_Body(response, _ENDS[format]), _PIECE)
        self.format = format
        # The changes since this download follow from it. None with filters.
        self.cursor: Optional[str] = response.headers.get("changes-cursor")

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the file, which replaces an older one only when it is whole."""
        self._check_unread("save()")
        folder, name = os.path.split(os.path.abspath(path))
        with tempfile.TemporaryDirectory(dir=folder, prefix=f".{name}-") as temporary:
            part = os.path.join(temporary, name)
            with open(part, "wb") as file:
                shutil.copyfileobj(self, file)
            os.replace(part, path)

    def records(self) -> Iterator[FeedRecord]:
        """The typed records of NDJSON, one by one."""
        if self.format != "ndjson":
            raise ValueError(
                f"records() reads NDJSON, and this download is {self.format}; use download('ndjson')"
            )
        for line in self:
            yield _typed(json.loads(line))

    def to_pandas(self) -> Any:
        """A data frame of NDJSON with the types of the fields. It needs pandas."""
        self._check_unread("to_pandas()")
        try:
            import pandas
        except ImportError:
            raise ImportError("to_pandas() needs pandas; install it, or use records()") from None
        to_datetime = pandas.to_datetime
        series = {
            datetime: lambda values: to_datetime(values, utc=True),
            date: to_datetime,
            int: lambda values: pandas.array(values, dtype="Int64"),
            float: lambda values: pandas.array(values, dtype="float64"),
            str: lambda values: pandas.array(values, dtype="string"),
            list[Tag]: list,
        }
        records: list[Any] = list(self.records())
        return pandas.DataFrame(
            {name: series[kind]([record.get(name) for record in records]) for name, kind in _KINDS.items()}
        )

    def _check_unread(self, method: str) -> None:
        if self.raw.was_read:  # The rest of a file would look like a whole one.
            raise ValueError(f"{method} needs the whole download, and a part of it was read; start another one")


class _Body(io.RawIOBase):
    """The bytes of a response, decompressed. It raises an error if they are not whole."""

    def __init__(self, response: Any, end: bytes):
        self._response = response
        self._end = end
        self.was_read = False
        is_gzip = response.headers.get("content-encoding") == "gzip"
        self._gunzip = zlib.decompressobj(wbits=31) if is_gzip else None
        self._rest = b""
        self._tail = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self.was_read = True
        while not self._rest:
            piece = self._read_piece()
            if not piece:
                self._check_end()
                return 0
            self._rest = self._decompress(piece)
        taken, self._rest = self._rest[: len(buffer)], self._rest[len(buffer) :]
        buffer[: len(taken)] = taken
        self._tail = (self._tail + taken)[-4:]
        return len(taken)

    def close(self) -> None:
        if not self.closed:
            self._response.close()
        super().close()

    def _read_piece(self) -> bytes:
        try:
            return self._response.read(_PIECE)
        except (OSError, http.client.HTTPException) as error:
            raise self._cut(error) from error

    def _decompress(self, piece: bytes) -> bytes:
        try:
            return self._gunzip.decompress(piece) if self._gunzip else piece
        except zlib.error as error:
            raise self._cut(error) from error

    def _check_end(self) -> None:
        # http.client does not report that fewer bytes arrived than Content-Length says.
        if getattr(self._response, "length", None):
            raise self._cut("bytes are missing")
        if self._gunzip and not self._gunzip.eof:
            raise self._cut("it does not end as gzip does")
        if not re.search(self._end, self._tail):
            raise self._cut("it does not end as its format does")

    def _cut(self, reason: Any) -> EmailAnalyticsError:
        request_id = self._response.headers.get("x-request-id")
        return EmailAnalyticsError(
            "cut", f"The response was cut: {reason}. Discard it, and start again.", request_id=request_id
        )


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """urllib would send the key to every host that it is redirected to."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _query(
    sent_after: Optional[Time], sent_before: Optional[Time], tag_ids: Optional[Sequence[int]]
) -> dict[str, Any]:
    query: dict[str, Any] = {"sent_after": _format_time(sent_after), "sent_before": _format_time(sent_before)}
    if tag_ids is not None:
        query["tag_ids"] = ",".join(map(str, tag_ids))
    return {name: value for name, value in query.items() if value is not None}


def _format_time(value: Optional[Time]) -> Optional[str]:
    if isinstance(value, datetime) and value.tzinfo is None:
        raise ValueError(f"{value!r} has no time zone; use datetime(…, tzinfo=timezone.utc), or a date")
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")  # The API has no fractions of a second.
    return value.isoformat() if isinstance(value, date) else value


def _details(response: Any) -> dict[str, Any]:
    headers = response.headers
    return {
        "status": response.status,
        "request_id": headers.get("x-request-id"),
        "retry_after": _parse_retry_after(headers.get("retry-after")),
    }


def _parse_retry_after(text: Optional[str]) -> Optional[float]:
    """Retry-After in seconds, or as a date (RFC 9110, 10.2.3)."""
    if text is None or text.isdecimal():
        return None if text is None else float(text)
    try:
        return max(email.utils.parsedate_to_datetime(text).timestamp() - time.time(), 0.0)
    except (TypeError, ValueError):
        return None


def _parse_json(text: str) -> dict[str, Any]:
    """The object; an empty one if the text is anything else."""
    try:
        body = json.loads(text)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


def _parse_sent_at(text: str) -> datetime:
    """`Jan 1, 2024 9:00 AM`; strptime would take the names of the locale."""
    match = re.fullmatch(r"(\w{3}) (\d+), (\d{4}) (\d+):(\d\d) (AM|PM)", text)
    if not match or match[1] not in _MONTHS:
        raise ValueError(f"sent_at: {text!r} is not a time such as Jan 1, 2024 9:00 AM")
    hour = int(match[4]) % 12 + (12 if match[6] == "PM" else 0)
    return datetime(int(match[3]), _MONTHS.index(match[1]) + 1, int(match[2]), hour, int(match[5]))


def _kind_of(hint: Any) -> Any:
    """The type itself, without Optional."""
    kinds = get_args(hint)
    return kinds[0] if type(None) in kinds else hint


# By the fields of feed records.
_KINDS = {name: _kind_of(hint) for name, hint in get_type_hints(FeedRecord).items()}
_PARSERS: dict[Any, Callable[[str], Any]] = {
    datetime: lambda text: datetime.fromisoformat(text.replace("Z", "+00:00")),
    date: date.fromisoformat,
}
_PARSED = {name: _PARSERS[kind] for name, kind in _KINDS.items() if kind in _PARSERS}


def _typed(record: dict[str, Any]) -> Any:
    """With datetime and date instead of texts. Fields that this client does not know stay as they are."""
    for name, parse in _PARSED.items():
        if record.get(name) is not None:
            record[name] = parse(record[name])
    return record
