from pandas_agreement.cli import main

raise SystemExit(main())
