"""The paragraph for a paper."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

import pandas_agreement
from pandas_agreement.report import Report
from tests.report.helpers import copies, plain, section, words


def test_the_paragraph_for_a_paper(whole: Report) -> None:
    text, references = section(whole, "Methods, ready to paste").blocks
    version = pandas_agreement.__version__
    assert text.text == (
        "600 items were labelled by 4 coders (ann, bob, cleo, dev) with 4 categories. Items with two or more labels "
        "were used, with all their labels (580 items). 19% of all labels that the coders could have given are missing. "
        "Agreement: observed agreement (Holsti, 1969) = 0.672, 95% CI [0.642, 0.701]; Conger's kappa (Cohen, 1960; "
        "Davies & Fleiss, 1982) = 0.507, 95% CI [0.464, 0.549]; Fleiss' kappa (Scott, 1955; Fleiss, 1971) = 0.506, "
        "95% CI [0.462, 0.549]; "
        "Krippendorff's alpha (nominal level; Krippendorff, 2018) = 0.509, 95% CI [0.467, 0.550]; Gwet's AC1 (Gwet, "
        "2008) = 0.578, 95% CI [0.538, 0.616]; Bennett's S (Bennett et al., 1954) = 0.562, 95% CI [0.522, 0.601]. 95% "
        "confidence intervals were computed from the t distribution and the standard error of the items' influence "
        "values for observed agreement and as score intervals (the values that the estimate does not contradict) for "
        "Conger's kappa, Fleiss' kappa, Krippendorff's alpha, Gwet's AC1 and Bennett's S, with items as a random "
        "sample and fixed coders. By batch (6 groups), Krippendorff's alpha was computed within each group. "
        "Benchmark labels: Landis & Koch (1977) for Conger's kappa, Fleiss' kappa, Gwet's AC1 and Bennett's "
        f"S; Krippendorff (2004) for Krippendorff's alpha. Computed with pandas_agreement {version}."
    )
    catalog = pandas_agreement.catalog()["reference"]
    listed = [reference for _, reference in references.points]
    assert listed == sorted(listed)
    assert set(listed) > {catalog[name] for name in ("observed", "kappa", "pi", "alpha", "ac1", "s")}


def test_the_paragraph_follows_the_options(example: pd.DataFrame) -> None:
    report = plain(example.agree, "ann", "bob", metrics=["kappa"], missing="complete", ci=0.9)
    text = section(report, "Methods, ready to paste").blocks[0].text
    assert "Only items labelled by every coder were used (418 items)." in text
    assert "90% confidence intervals were computed as score intervals" in text
    assert re.search(r"kappa \(Cohen, 1960\) = 0\.611, 90% CI \[0\.\d{3}, 0\.\d{3}\]\.", text)


def test_clusters_are_mentioned() -> None:
    df = copies(0.8, 60).assign(doc=np.arange(60) // 3)
    sentence = "; standard errors allow for clusters of items."
    assert sentence in words(plain(df.agree, "ann", "bob", clusters="doc"), "Methods, ready to paste")
    assert sentence not in words(plain(df.agree, "ann", "bob"), "Methods, ready to paste")
